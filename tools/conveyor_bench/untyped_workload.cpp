#include "tools/conveyor_bench/untyped_workload.hpp"

#include <algorithm>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::cli {

item_pool::item_pool(const bench_options& options, std::uint64_t n_pushes, pe_id n_pes, pe_id my_pe)
    : size(
          std::clamp<std::uint64_t>(options.n_words * 8 / options.item_bytes, 1, std::max<std::uint64_t>(1, n_pushes))),
      items(size * options.item_bytes),
      targets(size) {
  random_engine random(options.seed, static_cast<std::uint64_t>(my_pe));
  for (std::uint32_t& target : targets) {
    target = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n_pes)));
  }
}

untyped_workload::untyped_workload(world& w, const bench_options& options)
    : world_(w),
      options_(options),
      n_pushes_(options.load * static_cast<std::uint64_t>(w.n_pes())),
      pool_(options, n_pushes_, w.n_pes(), w.my_pe()),
      landing_(options.item_bytes),
      n_fitting_(std::max<std::size_t>(1, w.message_exchange().payload_bytes() / options.item_bytes)),
      buffer_(n_fitting_ * options.item_bytes) {
  if (options.is_steady_test) tally_.emplace(w, options.kind->n_hops);
}

untyped_workload::~untyped_workload() = default;

void untyped_workload::prepare(const run_plan& plan) {
  plan_ = plan;
  n_pulled_ = 0;
}

}  // namespace shoal::cli
