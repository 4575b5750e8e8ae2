// One-sided: gets the row of each edge's lower end once, and looks up all neighbours of the higher end in it.
#include <span>
#include <vector>

#include "kernels/jaccard/problem.hpp"
#include "kernels/readable_rows.hpp"

namespace shoal::kernels::jaccard {

void run_agp(world& w, problem& p) {
  const readable_rows rows(w, p.both);
  std::vector<std::int64_t> row;
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
    std::uint32_t edge = p.first_edge(i);
    for (const std::int64_t j : p.lower(i)) {
      const auto [pe, local] = p.both.rows.place_of(j);
      const auto at = static_cast<std::size_t>(local);
      const std::int64_t begin = w.get(rows.offsets, at, pe);
      row.resize(static_cast<std::size_t>(w.get(rows.offsets, at + 1, pe) - begin));
      w.get(rows.columns, static_cast<std::size_t>(begin), std::span(row), pe);
      p.degrees[edge] = static_cast<std::uint32_t>(row.size());
      std::span<const std::int64_t> a = row;
      std::span<const std::int64_t> b = p.both.row(i);
      if (a.size() > b.size()) std::swap(a, b);
      for (const std::int64_t x : a) p.n_common[edge] += contains(b, x);
      ++edge;
    }
  }
  rows.deallocate(w);
}

}  // namespace shoal::kernels::jaccard
