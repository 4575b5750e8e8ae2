// Conveyors that route over the flavour's number of hops, elastic ones among them.
#include "tools/cli/conveyor_bench_elastic.hpp"
#include "tools/cli/conveyor_bench_traffic.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_routed(world& w, const bench_request& request) {
  if (request.is_elastic) return make_traffic<elastic_stream>(w, request);
  if (!is_typed(request)) return make_traffic<byte_stream>(w, request);
  return make_typed_traffic<typed_stream>(w, request);
}

}  // namespace shoal::cli
