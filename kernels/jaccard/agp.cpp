// One-sided: gets the row of each edge's lower end once, and looks up all neighbours of the higher end in it. The nonblocking
// variant gets the rows of all lower neighbours of a vertex at once.
#include <span>
#include <utility>

#include "kernels/jaccard/problem.hpp"
#include "kernels/readable_rows.hpp"

namespace shoal::kernels::jaccard {
namespace {

void compare(problem& p, std::uint32_t edge, std::span<const std::int64_t> higher,
             std::span<const std::int64_t> lower) {
  p.degrees[edge] = static_cast<std::uint32_t>(lower.size());
  if (lower.size() > higher.size()) std::swap(lower, higher);
  for (const std::int64_t x : lower) p.n_common[edge] += contains(higher, x);
}

}  // namespace

void run_agp(world& w, problem& p) {
  const readable_rows rows(w, p.both);
  one_row asked(w, rows);
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
    std::uint32_t edge = p.first_edge(i);
    for (const std::int64_t j : p.lower(i)) compare(p, edge++, p.both.row(i), asked.get(j));
  }
  rows.deallocate(w);
}

void run_agp_nb(world& w, problem& p) {
  const readable_rows rows(w, p.both);
  rows_at_once asked(w, rows);
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
    const std::span<const std::int64_t> lower = p.lower(i);
    asked.get(lower);
    std::uint32_t edge = p.first_edge(i);
    for (std::size_t k = 0; k < lower.size(); ++k) compare(p, edge++, p.both.row(i), asked.row(k));
  }
  rows.deallocate(w);
}

}  // namespace shoal::kernels::jaccard
