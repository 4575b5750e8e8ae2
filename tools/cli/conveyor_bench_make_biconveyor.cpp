#include "tools/cli/conveyor_bench_elastic.hpp"
#include "tools/cli/conveyor_bench_kinds.hpp"
#include "tools/cli/conveyor_bench_makers.hpp"
#include "tools/cli/conveyor_bench_queries.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_biconveyor(world& w, const bench_request& request) {
  if (request.is_elastic) return std::make_unique<queries<elastic_query_stream>>(w, request);
  return make_by_size(
      request.item_bytes,
      [&]<class Item>(const Item&) -> std::unique_ptr<workload> {
        return std::make_unique<queries<query_stream<Item>>>(w, request);
      },
      sizes_with_types{});
}

}  // namespace shoal::cli
