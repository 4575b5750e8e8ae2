// Biconveyors of types known at compile time, and elastic ones.
#include "tools/conveyor_bench/makers.hpp"
#include "tools/conveyor_bench/queries.hpp"
#include "tools/conveyor_bench/query_streams.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_biconveyor(world& w, const bench_options& options) {
  if (options.is_elastic) return std::make_unique<queries<elastic_query_stream>>(w, options);
  return make_by_size(
      options.item_bytes,
      [&]<class Item>(const Item&) -> std::unique_ptr<workload> {
        return std::make_unique<queries<query_stream<Item>>>(w, options);
      },
      sizes_with_types{});
}

}  // namespace shoal::cli
