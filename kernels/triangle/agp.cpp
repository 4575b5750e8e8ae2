// Plain one-sided access. A get for every probe would take one for each step of a search, so a PE gets the
// whole row of j, once for each edge (i, j), and looks for all of the edge's candidates in it.
#include <algorithm>
#include <vector>

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {
namespace {

using vertices = std::span<const std::int64_t>;

std::uint64_t n_common(vertices a, vertices b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::uint64_t n = 0;
  for (const std::int64_t vertex : a) n += contains(b, vertex);
  return n;
}

}  // namespace

void run_agp(world& w, problem& p) {
  const sparse_matrix& rows = p.asked();
  const auto offsets = w.allocate<std::int64_t>(w.max(rows.offsets.size()));
  const auto columns = w.allocate<std::int64_t>(w.max(rows.columns.size()));
  std::ranges::copy(rows.offsets, w.local(offsets).begin());
  std::ranges::copy(rows.columns, w.local(columns).begin());
  w.barrier();  // all rows are there before the first is read

  std::vector<std::int64_t> row;
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const vertices below = p.lower.row(i);
    for (std::size_t k = 0; k < below.size(); ++k) {
      const vertices candidates = p.candidates(i, k);
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      const std::int64_t begin = w.get(offsets, local, pe);
      row.resize(w.get(offsets, local + 1, pe) - begin);
      if (row.empty()) continue;
      w.machine().get(row.data(), columns.offset + begin * sizeof(std::int64_t),
                      row.size() * sizeof(std::int64_t), pe);
      p.n_triangles += n_common(candidates, row);
    }
  }
  w.deallocate(columns);  // a collective: nobody's rows go before all have read them
  w.deallocate(offsets);
}

}  // namespace shoal::kernels::triangle
