/// One PE of a simulation: what its program sees as the substrate.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "shoal/base/ambient.hpp"
#include "shoal/substrate/sim/scheduler.hpp"
#include "shoal/substrate/substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::sim {

class simulation;

/// Every call first moves this PE's own time forward by a declared cost, waits until the simulation has
/// caught up with that time, and takes in what has arrived by then. So a PE never sees anything early, and
/// one that polls in a loop still makes time pass.
class simulated_pe final : public substrate, public pe_context {
public:
  simulated_pe(simulation& whole, pe_id my_pe, double slowness, std::span<std::byte> stack);
  ~simulated_pe() override;

  substrate_kind kind() const noexcept override { return substrate_kind::sim; }
  double ns_per_byte() const noexcept override;
  double ns_per_buffer() const noexcept override;

  std::size_t n_free() noexcept override;
  buffer* try_acquire() noexcept override;
  void post(buffer& full, pe_id target) noexcept override;
  buffer* poll() noexcept override;
  void release(buffer& done) noexcept override;

  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept override;
  bool is_round_complete() noexcept override;
  const std::byte* round_result() noexcept override;
  const std::byte* round_contribution(pe_id pe) noexcept override;

  void wait(unsigned& patience) noexcept override;
  void pause(unsigned& patience) noexcept override;

  std::byte* peer_heap(pe_id pe) noexcept override;
  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  std::uint64_t atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                       pe_id pe) noexcept override;
  void quiet() noexcept override;
  void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void start_add(std::size_t offset, std::uint64_t operand, pe_id pe) noexcept override;

  std::uint64_t now_ns() noexcept override;
  void charge_ns(std::uint64_t ns) noexcept override;

  pe_id context_pe() const noexcept override { return my_pe_; }
  bool context_is_in_library() const noexcept override { return false; }
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override;

private:
  friend class simulation;

  enum class arrival_kind : std::uint8_t { buffer, slot, touch, round_end };
  struct arrival {
    std::uint64_t time_ns;
    std::uint32_t slot;
    arrival_kind kind;
  };

  // What a call of the substrate costs that neither sends nor receives. Small beside a network, but not
  // nothing: it is what makes time pass on a PE that polls.
  static constexpr std::uint64_t call_ns = 20;

  // Who may use a slot, if it is no PE.
  static constexpr std::int32_t nobody = -1;
  static constexpr std::int32_t network_holds_it = -2;

  void enter(std::uint64_t cost_ns) noexcept;
  void act_strictly_after(std::uint64_t cost_ns) noexcept;
  void preempt() noexcept;
  void take_arrivals() noexcept;
  void found_nothing() noexcept;
  std::uint64_t slowed(std::uint64_t ns) const noexcept;
  void append_ready(buffer& arrived) noexcept;
  void push_free(buffer& slot) noexcept;
  std::int32_t& holder(const buffer& slot) noexcept;
  std::byte* target_in_heap(std::size_t offset, std::size_t bytes, pe_id pe) noexcept;
  void completes_at(std::uint64_t done_ns) noexcept;

  simulation& sim_;
  double slowness_;  // how many times as long as on other PEs everything takes
  task task_;

  // Delivered by events, in order of time; this PE itself may lag behind, and then has not seen them.
  std::deque<arrival> arrivals_;

  // Buffers that have arrived and free slots that have been used before, chained by buffer::next.
  // Slots from n_made_ on have never been touched.
  std::uint32_t ready_first_;
  std::uint32_t ready_last_;
  std::uint32_t free_first_;
  std::size_t n_ready_ = 0;
  std::size_t n_free_ = 0;
  std::size_t n_made_ = 0;
  std::vector<std::int32_t> holders_;  // per slot of this PE's pool that has been made

  std::uint64_t n_rounds_arrived_ = 0;
  std::uint64_t n_rounds_over_ = 0;
  bool has_seen_round_end_ = true;

  std::uint64_t one_sided_done_ns_ = 0;  // when this PE knows that all it started one-sided is complete

  // Something arrived that no return from `wait` or `pause` has announced yet.
  bool has_news_ = false;
  // try_acquire lied since then, so it may be that no event will come to end a wait.
  bool was_refused_ = false;
  unsigned n_refused_in_row_ = 0;

  // Calls that found nothing since the world changed for the n_changes_seen_-th time.
  std::uint64_t n_fruitless_ = 0;
  std::uint64_t n_changes_seen_ = 0;
};

}  // namespace shoal::sim
