// The answer, the slow way: go through the updates of all PEs and count those that hit `owner`.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

std::vector<std::int64_t> reference(const parameters& given, pe_id n_pes, pe_id owner) {
  std::vector<std::int64_t> counts(given.table_size);
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    update_stream updates(given, n_pes, pe);
    for (std::uint64_t i = 0; i < given.n_updates; ++i) {
      const update u = updates.next();
      if (u.pe == static_cast<std::uint64_t>(owner)) ++counts[u.slot];
    }
  }
  return counts;
}

}  // namespace shoal::kernels::histogram
