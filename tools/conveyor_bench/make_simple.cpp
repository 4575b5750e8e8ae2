// Simple conveyors, over one hop or two.
#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "tools/conveyor_bench/streams.hpp"
#include "tools/conveyor_bench/traffic.hpp"

namespace shoal::cli {
namespace {

template <item T>
class simple_stream : public stream_over<T, simple_conveyor<T>> {
public:
  simple_stream(world& w, const bench_options& options)
      : stream_over<T, simple_conveyor<T>>(w, simple_conveyor_options{.capacity_items = options.capacity_items,
                                                                      .steady = options.is_steady,
                                                                      .n_hops = options.kind->n_hops}) {}
};

}  // namespace

std::unique_ptr<workload> make_simple(world& w, const bench_options& options) {
  return make_typed_traffic<simple_stream>(w, options);
}

}  // namespace shoal::cli
