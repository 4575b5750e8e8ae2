// One-sided: sizes of rows are put, entries find their places by atomic additions, and new columns are gets.
#include <algorithm>
#include <span>

#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {

void run_agp(world& w, problem& p) {
  const auto next = w.allocate<std::int64_t>(w.max(p.next.size()));
  const auto images = w.allocate<std::int64_t>(w.max(p.columns.images.size()));
  const std::span<std::int64_t> mine = w.local(next).first(p.next.size());
  std::ranges::copy(p.columns.images, w.local(images).begin());
  w.barrier();
  for_each_row(p, [&](pe_id owner, row_size s) { w.put(next, s.row, std::int64_t{s.size}, owner); });
  w.quiet();
  w.barrier();
  std::ranges::copy(mine, p.next.begin());
  allocate_rows(p);
  std::ranges::copy(p.next, mine.begin());
  const auto columns = w.allocate<std::int64_t>(w.max(p.permuted.columns.size()));  // all PEs have allocated then
  for_each_entry(p, [&](pe_id owner, moved_entry e) {
    const std::int64_t at = w.fetch_add(next, e.row, std::int64_t{1}, owner);
    w.put(columns, static_cast<std::size_t>(at), std::int64_t{e.column}, owner);
  });
  w.quiet();
  w.barrier();
  std::ranges::copy(w.local(columns).first(p.permuted.columns.size()), p.permuted.columns.begin());
  for (std::int64_t& column : p.permuted.columns) {
    const auto [pe, local] = p.columns.indices.place_of(column);
    column = w.get(images, static_cast<std::size_t>(local), pe);
  }
  w.deallocate(columns);
  w.deallocate(images);
  w.deallocate(next);
}

}  // namespace shoal::kernels::permuting
