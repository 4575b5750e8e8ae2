/// The `local` substrate: PEs of one machine around one shared segment, no MPI needed.
///
/// One copy: what a send writes into a slot is what the receiver reads. A post pushes the slot's number onto the
/// receiver's inbox; a release pushes it onto the owner's stack of returned slots. Each is one compare-exchange per
/// buffer. The stacks take O(P) memory; a ring for each pair would take O(P^2). docs/design/slot-stacks.md shows why
/// the memory orders suffice.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/ending_thread.hpp"
#include "shoal/substrate/internal/local/control_cells.hpp"
#include "shoal/substrate/internal/local/segment.hpp"
#include "shoal/substrate/internal/local/shared_heap.hpp"
#include "shoal/substrate/internal/pe_threads.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::local {

class local_substrate final : public substrate {
public:
  /// `memory` outlives this object. `is_oversubscribed`: the job has more PEs than cores, so a waiting PE soon yields
  /// its core.
  local_substrate(segment& memory, pe_id my_pe, std::size_t payload_bytes, bool is_oversubscribed, substrate_kind kind);

  /// Touches this PE's slots now, so that page faults do not disturb the first supersteps. Local.
  void populate_pool() noexcept;

  substrate_kind kind() const noexcept override { return kind_; }

  std::size_t n_free() noexcept override;
  buffer* try_acquire() noexcept override;
  void post(buffer& full, pe_id target) noexcept override;
  buffer* poll() noexcept override;
  void release(buffer& done) noexcept override;

  bool try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept override;
  bool poll_control(control_message& into) noexcept override;

  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept override;
  bool is_round_complete() noexcept override;
  const std::byte* round_result() noexcept override;
  const std::byte* round_contribution(pe_id pe) noexcept override;

  /// Waits until the round at which this PE has arrived is complete, and returns true. Returns false once `goes_on`,
  /// called before each wait, returns false.
  bool wait_for_round(const std::function<bool()>& goes_on);

  void wait(unsigned& patience) noexcept override;
  /// As wait, for a PE that has more to watch. Sleeps for at most `sleep_ns`, and not at all if `has_more_news`. So
  /// that no wake is lost, that function must load with seq_cst what others store with seq_cst before they wake this
  /// PE.
  void wait_at_most(unsigned& patience, long sleep_ns, const std::function<bool()>& has_more_news) noexcept;
  void pause(unsigned& patience) noexcept override;
  pe_threads& threads() noexcept override { return threads_; }

  flow_counts flow() const noexcept override {
    return {counts_.n_posted, counts_.n_received, n_released_, n_returned_, round_, round_seen_ != round_};
  }

  shared_heap& heap() noexcept override { return heap_; }

  std::uint64_t now_ns() noexcept override;
  /// True for the first PE of the segment that calls it: it may print the job's only report. Local, nonblocking.
  bool claim_report() noexcept override;
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override;
  void finished() noexcept override;

  /// Ends the sleep of a PE that has more to watch (wait_at_most). Local, nonblocking.
  void wake(pe_id pe) noexcept;

private:
  void take_returned() noexcept;
  void notify() noexcept;
  bool has_news() noexcept;

  segment& memory_;
  pe_page& mine_;
  substrate_kind kind_;
  control_cells controls_;
  shared_heap heap_;

  // Ring of free slots.
  std::vector<std::uint32_t> free_;
  std::size_t free_head_ = 0;
  std::size_t n_free_ = 0;

  // Buffers popped from the inbox, oldest first, linked through buffer::next.
  std::uint32_t arrived_ = 0;

  std::uint64_t n_released_ = 0;  // slots of other PEs given back
  std::uint64_t n_returned_ = 0;  // slots that other PEs gave back and this PE has taken in

  std::uint64_t round_ = 0;  // rounds at which this PE has arrived
  std::uint64_t round_seen_ = 0;  // rounds that this PE has seen complete; round_ or one less
  machine_threads threads_;
  ending_thread ending_;
  std::atomic<bool> is_notified_{false};  // by one of them, since the last wait
  unsigned n_spins_;  // waits before the first yield
  unsigned n_yields_;  // waits between the first yield and the first sleep
};

}  // namespace shoal::internal::local
