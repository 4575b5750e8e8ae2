// Conveyors that route over the flavour's number of hops, including elastic ones.
#include "tools/conveyor_bench/elastic_streams.hpp"
#include "tools/conveyor_bench/streams.hpp"
#include "tools/conveyor_bench/traffic.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_routed(world& w, const bench_options& options) {
  if (options.is_elastic) return make_traffic<elastic_stream>(w, options);
  if (!is_typed(options)) return make_traffic<byte_stream>(w, options);
  return make_typed_traffic<typed_stream>(w, options);
}

}  // namespace shoal::cli
