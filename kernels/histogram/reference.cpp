// The answer, the slow way: goes through the updates of all PEs and counts those that hit `owner`.
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

// Each update adds the hash of its index, and so does each count.
bool has_checksum_of_updates(world& w, const problem& p) {
  const auto hash = [](std::uint64_t slot, std::uint64_t pe) { return mixed_bits(slot << 32 | pe); };
  std::uint64_t difference = 0;
  for (const update u : p.updates) difference += hash(u.slot, u.pe);
  const auto me = static_cast<std::uint64_t>(w.my_pe());
  for (std::size_t i = 0; i < p.counts.size(); ++i) {
    difference -= static_cast<std::uint64_t>(p.counts[i]) * hash(i, me);
  }
  return w.sum(difference) == 0;
}

}  // namespace shoal::kernels::histogram
