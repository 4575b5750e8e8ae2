/// Buffers to and from PEs of other nodes.
///
/// A buffer waits in its target's queue until the receiver's credits allow the wire to send it. Its slot stays taken
/// until the receiver has released it (acknowledgements.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_meter.hpp"
#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/internal/network/acknowledgements.hpp"
#include "shoal/substrate/internal/network/buffer_store.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::network {

class remote_buffers {
public:
  /// `pool` owns this PE's slots and gets them back. `whose` learns what links cost if `has_core`: PEs that wait for cores
  /// would time that. All outlive this object.
  remote_buffers(guarded_wire& wire, local::local_substrate& pool, substrate& whose, bool has_core,
                 std::size_t payload_bytes);

  /// Sends `full` to a PE of another node, now or later. Nonblocking.
  void post(buffer& full, pe_id target) noexcept;

  /// Sends waiting buffers, targets in turn, as far as their credits allow. Nonblocking.
  void send_waiting() noexcept;

  /// Collects the slots that the wire has finished with. Nonblocking.
  void take_sent() noexcept;

  /// The next buffer from another node, or null; `sender` is the sending PE. Nonblocking.
  buffer* poll() noexcept;

  /// Called when there is nothing else to do: sends all owed acknowledgements and collects slots. Nonblocking.
  void settle() noexcept;

  /// Releases a buffer that `poll` returned. Nonblocking.
  void release(buffer& done) noexcept;

  /// Buffers that this PE has released; slots of this PE that have come back.
  std::uint64_t n_released() const noexcept { return n_released_; }
  std::uint64_t n_returned() const noexcept { return n_returned_; }

private:
  // Oldest first, linked through buffer::next_pending.
  struct target_queue {
    buffer* first = nullptr;
    buffer* last = nullptr;
  };

  bool try_send(buffer& full, pe_id target) noexcept;
  bool try_send_timed(buffer& marked, pe_id target) noexcept;
  void probe(pe_id target, std::uint64_t now_ns) noexcept;
  void take_in_acknowledgement(buffer& landed) noexcept;
  void take_back(buffer& slot) noexcept;
  void acknowledge(bool all) noexcept;

  guarded_wire& wire_;
  local::local_substrate& pool_;
  substrate& whose_;
  link_meter meter_;
  holding_times holding_;
  std::vector<target_queue> queues_;  // by PE: buffers that wait for a credit
  std::vector<pe_id> waiting_;  // PEs with a non-empty queue, in the order of their turns
  acknowledgements acknowledgements_;
  std::vector<std::size_t> n_landed_;  // by PE: its unreleased buffers in the wire's memory
  std::uint64_t n_released_ = 0;
  std::uint64_t n_returned_ = 0;
  buffer_store copies_;  // for buffers that would have kept their sender's credit too long
};

}  // namespace shoal::internal::network
