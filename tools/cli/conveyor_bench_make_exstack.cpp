#include "tools/cli/conveyor_bench_kinds.hpp"
#include "tools/cli/conveyor_bench_traffic.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_exstack(world& w, const bench_request& request) {
  return make_typed_traffic<exstack_stream>(w, request);
}

}  // namespace shoal::cli
