// Plain one-sided access. A get for every probe would need one for each step of a search. So for each edge (i, j) a PE
// gets the whole row of j once, and looks up all of the edge's candidates in it. The nonblocking variant gets the rows
// of all neighbours of i at once.
#include <span>
#include <utility>

#include "kernels/readable_rows.hpp"
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
  const readable_rows rows(w, p.asked());
  one_row asked(w, rows);
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const vertices below = p.lower.row(i);
    for (std::size_t k = 0; k < below.size(); ++k) p.n_triangles += n_common(p.candidates(i, k), asked.get(below[k]));
  }
  rows.deallocate(w);
}

void run_agp_nb(world& w, problem& p) {
  const readable_rows rows(w, p.asked());
  rows_at_once asked(w, rows);
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const vertices below = p.lower.row(i);
    asked.get(below);
    for (std::size_t k = 0; k < below.size(); ++k) p.n_triangles += n_common(p.candidates(i, k), asked.row(k));
  }
  rows.deallocate(w);
}

}  // namespace shoal::kernels::triangle
