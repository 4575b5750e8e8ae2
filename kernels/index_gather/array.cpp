// A distributed array that gathers: elements of PEs on the same node by plain loads, others by query and reply. The array
// chooses.
#include <algorithm>

#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {

global_reads::global_reads(world& w, const problem& p)
    : table(w, static_cast<std::int64_t>(p.given.table_size) * w.n_pes()) {
  std::ranges::copy(p.part, table.local().begin());
  indices.reserve(p.requests.size());
  for (const auto [index, pe] : p.requests) {
    indices.push_back(static_cast<std::int64_t>(index) * w.n_pes() + static_cast<std::int64_t>(pe));
    n_by_message += table.reads_directly(pe) ? 0 : 1;
  }
}

void run_array(world&, problem& p) { p.global->table.gather(p.global->indices, p.target); }

}  // namespace shoal::kernels::index_gather
