/// What `shoal conveyor-bench` runs, as its runner sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace shoal::cli {

struct run_plan {
  std::uint64_t number = 0;  // of the run; warm-ups come first
  std::size_t item_bytes = 0;
  bool is_checked = false;  // item by item, which costs time
};

/// Traffic through conveyors on one PE. All members are collective.
class workload {
public:
  virtual ~workload() = default;

  /// Between two runs: constructs the conveyors anew. Not needed for the first run.
  virtual void drop_conveyors() = 0;
  virtual void make_conveyors() = 0;

  /// Prepares a run; not timed.
  virtual void prepare(const run_plan& plan) = 0;

  /// One session, from begin to reset. The caller times it between two barriers. Returns the items that this PE pushed.
  virtual std::uint64_t run() = 0;

  /// Copies `n_items` items of the last run into a buffer in push order, and out again whenever the buffer is full.
  virtual void copy_plainly(std::uint64_t n_items) = 0;

  /// Of this PE, in the last run; differs from the plan's only if sizes differ.
  virtual double mean_item_bytes() const = 0;

  /// What was wrong with the last run as far as this PE can tell; empty if nothing was.
  virtual std::string verify() = 0;

  virtual std::string what_is_verified() const = 0;

  /// On PE 0: counts and sums of all pairs of PEs in the last checked run.
  virtual std::string describe_pairs() { return {}; }
};

}  // namespace shoal::cli
