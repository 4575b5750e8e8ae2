// One-sided: atomic additions count, and then say where each entry is put.
#include <algorithm>
#include <span>

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {

void run_agp(world& w, problem& p) {
  const auto next = w.allocate<std::int64_t>(w.max(p.next.size()));
  const std::span<std::int64_t> mine = w.local(next).first(p.next.size());
  std::ranges::fill(mine, 0);
  w.barrier();
  for_each_row(p, [&](pe_id owner, std::uint32_t row) { w.start_add(next, row, std::int64_t{1}, owner); });
  w.quiet();
  w.barrier();
  std::ranges::copy(mine, p.next.begin());
  allocate_rows(p);
  std::ranges::copy(p.next, mine.begin());
  const auto columns = w.allocate<std::int64_t>(w.max(p.transposed.columns.size()));  // all PEs have allocated then
  for_each_entry(p, [&](pe_id owner, moved_entry e) {
    const std::int64_t at = w.fetch_add(next, e.row, std::int64_t{1}, owner);
    w.put(columns, static_cast<std::size_t>(at), std::int64_t{e.column}, owner);
  });
  w.quiet();
  w.barrier();
  std::ranges::copy(w.local(columns).first(p.transposed.columns.size()), p.transposed.columns.begin());
  w.deallocate(columns);
  w.deallocate(next);
}

}  // namespace shoal::kernels::transposition
