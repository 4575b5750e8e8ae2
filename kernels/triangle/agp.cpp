// Plain one-sided access. A get for every probe would need one for each step of a search. So for each edge (i, j) a PE
// gets the whole row of j once, and looks up all of the edge's candidates in it. The nonblocking variant gets the rows
// of all neighbours of i at once.
#include <algorithm>
#include <span>
#include <vector>

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
  std::vector<std::int64_t> row;
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const vertices below = p.lower.row(i);
    for (std::size_t k = 0; k < below.size(); ++k) {
      const vertices candidates = p.candidates(i, k);
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      const std::int64_t begin = w.get(rows.offsets, local, pe);
      row.resize(w.get(rows.offsets, local + 1, pe) - begin);
      if (row.empty()) continue;
      w.get(rows.columns, begin, std::span(row), pe);
      p.n_triangles += n_common(candidates, row);
    }
  }
  rows.deallocate(w);
}

void run_agp_nb(world& w, problem& p) {
  const readable_rows rows(w, p.asked());
  struct bounds {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::size_t n() const { return static_cast<std::size_t>(end - begin); }
  };
  std::vector<bounds> of_row;
  std::vector<std::int64_t> got;  // the rows, one after the other
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const vertices below = p.lower.row(i);
    of_row.resize(below.size());
    for (std::size_t k = 0; k < below.size(); ++k) {
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      w.start_get(rows.offsets, local, of_row[k].begin, pe);
      w.start_get(rows.offsets, local + 1, of_row[k].end, pe);
    }
    w.quiet();
    std::size_t n_columns = 0;
    for (const bounds& b : of_row) n_columns += b.n();
    got.resize(n_columns);
    auto* into = got.data();
    for (std::size_t k = 0; k < below.size(); into += of_row[k++].n()) {
      if (of_row[k].n() == 0) continue;
      const pe_id pe = p.lower.rows.place_of(below[k]).pe;
      w.start_get(rows.columns, of_row[k].begin, std::span(into, of_row[k].n()), pe);
    }
    w.quiet();
    into = got.data();
    for (std::size_t k = 0; k < below.size(); into += of_row[k++].n()) {
      p.n_triangles += n_common(p.candidates(i, k), vertices(into, of_row[k].n()));
    }
  }
  rows.deallocate(w);
}

}  // namespace shoal::kernels::triangle
