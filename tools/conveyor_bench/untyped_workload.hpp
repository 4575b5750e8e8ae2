/// What all traffic has, whatever carries it: a pool of items, and memory. Compiled once; pool_workload.hpp adds what is
/// compiled for each kind of conveyor and item.
#pragma once

#include <optional>
#include <vector>

#include "shoal/actor/world.hpp"
#include "tools/conveyor_bench/items.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/tally.hpp"
#include "tools/conveyor_bench/workload.hpp"

namespace shoal::cli {

/// Items and targets ready to be pushed. Long runs push them repeatedly, in turn, so that their memory stays in the
/// cache, as it would with items that the program has just computed.
struct item_pool {
  item_pool(const bench_options& options, std::uint64_t n_pushes, pe_id n_pes, pe_id my_pe);

  /// How often a run of `n_pushes` uses the item at `place`.
  std::uint64_t n_uses(std::uint64_t n_pushes, std::size_t place) const noexcept {
    return n_pushes / size + (place < n_pushes % size ? 1 : 0);
  }

  std::size_t size;
  aligned_bytes items;  // one after the other, `size` of the run's item size
  std::vector<std::uint32_t> targets;
};

class untyped_workload : public workload {
public:
  untyped_workload(world& w, const bench_options& options);
  ~untyped_workload() override;

  void prepare(const run_plan& plan) override;

protected:
  world& world_;
  const bench_options& options_;
  const std::uint64_t n_pushes_;  // of this PE in one run
  run_plan plan_;
  item_pool pool_;
  aligned_bytes landing_;  // where a program would put the item it works on
  const std::size_t n_fitting_;  // items that fit into a buffer
  aligned_bytes buffer_;
  std::optional<tally> tally_;
  std::uint64_t n_pulled_ = 0;  // in this run, by all_to_all and queries
};

}  // namespace shoal::cli
