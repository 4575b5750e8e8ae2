/// One PE of a simulation: the substrate that its program sees.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/substrate/internal/link_meter.hpp"
#include "shoal/substrate/internal/sim/fruitless_calls.hpp"
#include "shoal/substrate/internal/sim/heap_access.hpp"
#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/pe_slots.hpp"
#include "shoal/substrate/internal/sim/pe_time.hpp"
#include "shoal/substrate/internal/sim/simulated_threads.hpp"
#include "shoal/substrate/internal/substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::sim {

/// Every call first enters the PE's time (pe_time.hpp), so time passes on a PE that polls in a loop.
class simulated_pe final : public substrate, public pe_context, private arrival_handler {
public:
  /// `run(argument)` is the PE's fiber. `job` and `stalls` outlive this object.
  simulated_pe(job_parts& job, stall_proof& stalls, pe_id my_pe, double slowness, fiber::entry run, void* argument);

  substrate_kind kind() const noexcept override { return substrate_kind::sim; }

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

  void wait(unsigned& patience) noexcept override;
  void pause(unsigned& patience) noexcept override;

  pe_threads& threads() noexcept override { return beside_; }

  flow_counts flow() const noexcept override {
    return {counts_.n_posted, counts_.n_received, n_released_, n_returned_, n_rounds_arrived_, !has_seen_round_end_};
  }

  std::shared_ptr<void>* common_place() noexcept override { return &job_.common; }
  symmetric_memory& heap() noexcept override { return heap_; }

  std::uint64_t now_ns() noexcept override;
  std::uint64_t stopwatch_ns() noexcept override;
  void charge_ns(std::uint64_t ns) noexcept override;
  void charge_items(item_work what, std::uint64_t n) noexcept override;

  pe_id context_pe() const noexcept override { return my_pe_; }
  bool context_is_in_library() const noexcept override { return false; }
  stack_fault stack_fault_at(const void* address) const noexcept override;
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override {
    job_.report.end(status, my_pe_, report);
  }

  // --- For the simulation

  /// Ends one wait, or the next one.
  void note_news() noexcept { has_news_ = true; }
  pe_time& time() noexcept { return time_; }
  const pe_time& time() const noexcept { return time_; }

  /// What this PE waits for, in the words of the layer above, and what it holds.
  [[gnu::cold]] std::string describe_wait() const;

private:
  void take_in(const arrival& next) noexcept override;
  bool is_refused() noexcept;
  void time_post(buffer& full, pe_id target, std::uint64_t begin_ns) noexcept;
  void probe(pe_id target) noexcept;
  void time_return(buffer& slot, std::uint64_t now_ns) noexcept;

  job_parts& job_;
  pe_time time_;
  pe_slots slots_;
  pe_controls controls_;
  fruitless_calls fruitless_;
  heap_access heap_;
  link_meter meter_;
  holding_times holding_;
  simulated_threads beside_;

  std::uint64_t n_released_ = 0;  // slots of other PEs given back
  std::uint64_t n_returned_ = 0;  // own slots that other PEs gave back and that are here
  std::uint64_t n_rounds_arrived_ = 0;
  std::uint64_t n_rounds_over_ = 0;
  bool has_seen_round_end_ = true;

  // Something has arrived since `wait` or `pause` last returned.
  bool has_news_ = false;
  // Since then, a call was refused without a reason (`refuse`), so perhaps no event will end a wait.
  bool was_refused_ = false;
  unsigned n_refused_in_row_ = 0;
};

/// All PEs of a simulation, by number.
using simulated_pes = std::vector<std::unique_ptr<simulated_pe>>;

/// The latest time of all PEs.
std::uint64_t latest_ns(const simulated_pes& pes) noexcept;

}  // namespace shoal::internal::sim
