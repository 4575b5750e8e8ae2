#include "kernels/transpose/problem.hpp"

#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::transposition {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (!parse_graph_option(given.graph, name, value)) throw setup_error("transpose has no option --" + name);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  // Per vertex: offsets of both matrices, and where the next entry goes. Per edge: its column in both, and once more for
  // the check.
  problem p{.matrix = read_graph(w, given.graph, {"transpose", 8 + 8 + 8, 8 + 8 + 8})};
  p.transposed = {.rows = p.matrix.columns_distribution(), .pe = w.my_pe(), .n_columns = p.matrix.n_rows()};
  p.next.resize(static_cast<std::size_t>(p.transposed.rows.n_local(w.my_pe())));
  return p;
}

void allocate_rows(problem& p) {
  p.transposed.offsets.resize(p.next.size() + 1);
  for (std::size_t r = 0; r < p.next.size(); ++r) {
    const std::int64_t begin = p.transposed.offsets[r];
    p.transposed.offsets[r + 1] = begin + p.next[r];
    p.next[r] = begin;
  }
  p.transposed.columns.resize(static_cast<std::size_t>(p.transposed.offsets.back()));
}

}  // namespace shoal::kernels::transposition
