/// Items that name themselves, the n-th from a PE to a PE, as a PE pushes and checks them. Compiled once.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "shoal/base/random.hpp"
#include "tools/conveyor_bench/pairs.hpp"
#include "tools/conveyor_bench/untyped_workload.hpp"

namespace shoal::cli {

class numbered_items {
public:
  numbered_items(world& w, const bench_options& options);
  ~numbered_items();

  /// What items must contain in a run. Checked runs of elastic conveyors have items of random sizes.
  item_contents contents(const run_plan& plan, std::uint64_t seed, bool is_elastic) const;

  void prepare(const run_plan& plan, item_pool& pool, bool is_elastic);

  /// Begins a checked run of `n_pushes`.
  void restart(const run_plan& plan, std::uint64_t n_pushes);
  /// Draws the next item unless the last one has not been pushed. False: all have been pushed.
  bool draw();
  std::span<const std::byte> item() noexcept { return {item_.data(), n_item_bytes_}; }
  pe_id target() const noexcept { return waiting_for_; }
  identity name() { return {world_.my_pe(), waiting_for_, pairs_.pushed(waiting_for_).n_items}; }
  void note_pushed();
  bool has_pushed_all() const noexcept { return n_left_ == 0; }

  /// Checks an item that came from PE `from`; `what` begins the text of a fault. Returns the item that was due.
  identity check_arrived(std::span<const std::byte> item, pe_id from, const char* what);

  bool has_fault() const noexcept { return !fault_.empty(); }
  void set_fault(std::string text) { fault_ = std::move(text); }
  /// Collective. What was wrong with single items, in pulling or with pairs in the last run; empty if nothing was.
  std::string fault(const run_plan& plan, const std::string& of_puller);

  std::string describe_pairs() { return pairs_.describe(); }

private:
  world& world_;
  const bench_options& options_;
  aligned_bytes item_;  // the next to push, to PE waiting_for_
  std::size_t n_item_bytes_ = 0;
  pe_id waiting_for_ = -1;  // -1: not drawn yet
  std::uint64_t n_left_ = 0;
  std::optional<random_engine> random_;
  pair_sums pairs_;
  std::optional<item_contents> contents_;
  std::string fault_;  // the first in this run
};

}  // namespace shoal::cli
