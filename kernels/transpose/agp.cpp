// One-sided: atomic additions count, and then say where each entry is put. The nonblocking variant starts what it need not
// know the result of, counting and putting; the place of an entry it has to wait for.
#include <algorithm>
#include <span>

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

enum class waiting { for_each, at_the_end };

template <waiting W>
void transpose_one_sided(world& w, problem& p) {
  const auto next = w.allocate<std::int64_t>(w.max(p.next.size()));
  const std::span<std::int64_t> mine = w.local(next).first(p.next.size());
  std::ranges::fill(mine, 0);
  w.barrier();
  for_each_row(p, [&](pe_id owner, std::uint32_t row) {
    if constexpr (W == waiting::for_each) {
      w.fetch_add(next, row, std::int64_t{1}, owner);
    } else {
      w.start_add(next, row, std::int64_t{1}, owner);
    }
  });
  w.quiet();
  w.barrier();
  std::ranges::copy(mine, p.next.begin());
  allocate_rows(p);
  std::ranges::copy(p.next, mine.begin());
  const auto columns = w.allocate<std::int64_t>(w.max(p.transposed.columns.size()));  // all PEs have allocated then
  std::vector<std::int64_t> under_way;  // what is put has to stay until it has left
  under_way.reserve(p.matrix.columns.size());
  for_each_entry(p, [&](pe_id owner, moved_entry e) {
    const auto at = static_cast<std::size_t>(w.fetch_add(next, e.row, std::int64_t{1}, owner));
    if constexpr (W == waiting::for_each) {
      w.put(columns, at, std::int64_t{e.column}, owner);
    } else {
      w.start_put(columns, at, under_way.emplace_back(e.column), owner);
    }
  });
  w.quiet();
  w.barrier();
  std::ranges::copy(w.local(columns).first(p.transposed.columns.size()), p.transposed.columns.begin());
  w.deallocate(columns);
  w.deallocate(next);
}

}  // namespace

void run_agp(world& w, problem& p) { transpose_one_sided<waiting::for_each>(w, p); }
void run_agp_nb(world& w, problem& p) { transpose_one_sided<waiting::at_the_end>(w, p); }

}  // namespace shoal::kernels::transposition
