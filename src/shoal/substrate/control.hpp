/// The seam to control messages: a few bytes to any PE, beside all buffers, taking no slot and no credit.
///
/// The layer `control` makes waves out of them. They are rare: a handful for each wave, none per item or buffer.
/// docs/design/control-plane.md says how each backend carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"

namespace shoal {

/// Largest control message.
inline constexpr std::size_t control_bytes_max = 256;

/// At most so many control messages of one sender are under way: taken by try_send_control and not yet polled; between
/// nodes, not yet in one of the target's places, of which it has a fixed number.
inline constexpr std::size_t n_controls_max = 8;

/// A control message as it arrived.
struct control_message {
  pe_id source = -1;
  std::size_t bytes = 0;
  alignas(8) std::byte data[control_bytes_max];
};

/// What waves need of a machine: who this PE is, who shares memory with whom, and control messages. Every substrate is
/// one. Like the whole substrate, an object serves one PE and is called by that PE's thread only, from the main program
/// or from a handler.
class control_transport {
public:
  control_transport(const control_transport&) = delete;
  control_transport& operator=(const control_transport&) = delete;
  virtual ~control_transport() = default;

  pe_id my_pe() const noexcept { return my_pe_; }
  pe_id n_pes() const noexcept { return n_pes_; }

  /// The node of each PE; nodes are numbered in the order of their first PEs, and the PEs of one need not be
  /// neighbours. Empty: the substrate knows of no nodes, and the settings may pretend to some. The same on every PE.
  virtual std::span<const std::uint32_t> nodes() const noexcept { return {}; }

  /// Sends `bytes` (at most control_bytes_max of them) to PE `target`, which may be this PE; `bytes` may be reused at
  /// once. False: not now, and nothing has happened; ask again after the next wait or poll. A substrate refuses while
  /// n_controls_max messages of this PE are under way, and may refuse any other, but not for ever while the targets of
  /// these messages keep calling poll_control. A message that was taken arrives once, in no order with buffers, rounds
  /// or other control messages. An arrived message ends the target's `wait`; after a refusal, so does a place that
  /// comes back. What this PE wrote before into memory that both PEs share, the target reads after poll_control; for
  /// puts between nodes, call `quiet` first. Local, nonblocking.
  virtual bool try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept = 0;

  /// Copies the next control message that has arrived into `into`; false if there is none. Local, nonblocking.
  virtual bool poll_control(control_message& into) noexcept = 0;

protected:
  control_transport(pe_id my_pe, pe_id n_pes) noexcept : my_pe_(my_pe), n_pes_(n_pes) {}

  pe_id my_pe_;
  pe_id n_pes_;
};

}  // namespace shoal
