/// The seam to control messages: a few bytes to any PE, separate from buffers, without slots and credits.
///
/// The layer `control` builds waves on them. They are rare: a few per wave, none per item or buffer.
/// docs/design/control-plane.md says how each backend carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The largest control message.
inline constexpr std::size_t control_bytes_max = 256;

/// The maximum number of control messages of one sender under way. A message is under way from try_send_control until
/// the target polls it; between nodes, until it lies in one of the target's places, whose number is fixed.
inline constexpr std::size_t n_controls_max = 8;

/// A control message as it arrived.
struct control_message {
  pe_id source = -1;
  std::size_t bytes = 0;
  alignas(8) std::byte data[control_bytes_max];
};

/// What waves need from a substrate: who this PE is, which PEs share memory, and control messages. Every substrate is
/// one. Like the whole substrate, an object serves one PE, and only that PE's thread calls it, from the main program or
/// a handler.
class control_transport {
public:
  control_transport(const control_transport&) = delete;
  control_transport& operator=(const control_transport&) = delete;
  virtual ~control_transport() = default;

  pe_id my_pe() const noexcept { return my_pe_; }
  pe_id n_pes() const noexcept { return n_pes_; }

  /// The node of each PE. Nodes are numbered in the order of their first PEs; the PEs of a node need not have
  /// consecutive numbers. Empty: the substrate knows no nodes, and the settings may define some. The same on every PE.
  virtual std::span<const std::uint32_t> nodes() const noexcept { return {}; }

  /// Sends `bytes` (at most control_bytes_max) to PE `target`, which may be this PE; `bytes` may be reused at once.
  /// False: not now, and nothing has happened; ask again after the next wait or poll. A substrate refuses while
  /// n_controls_max messages of this PE are under way. It may refuse any other message, but not for ever while the
  /// targets of the messages under way keep calling poll_control. An accepted message arrives once, in no order
  /// relative to buffers, rounds or other control messages. An arriving message ends the target's `substrate::wait`;
  /// after a refusal, so does a place that becomes free. The target sees, after poll_control, what this PE wrote before
  /// into memory that both share; for puts between nodes, call `symmetric_memory::quiet` first. Local, nonblocking.
  virtual bool try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept = 0;

  /// Copies the next control message that has arrived into `into`; false if there is none. Local, nonblocking.
  virtual bool poll_control(control_message& into) noexcept = 0;

protected:
  control_transport(pe_id my_pe, pe_id n_pes) noexcept : my_pe_(my_pe), n_pes_(n_pes) {}

  pe_id my_pe_;
  pe_id n_pes_;
};

}  // namespace shoal::internal
