#include "tools/cli/conveyor_bench_kinds.hpp"
#include "tools/cli/conveyor_bench_traffic.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_exstack2(world& w, const bench_request& request) {
  return make_typed_traffic<exstack2_stream>(w, request);
}

}  // namespace shoal::cli
