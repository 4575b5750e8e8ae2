#include "kernels/permute/problem.hpp"

#include <algorithm>
#include <span>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::permuting {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name != "seed") throw setup_error("permute has no option --" + name);
    given.seed = whole_number("--seed", value, 0, INT64_MAX);
  }
  return given;
}

namespace {

// Queries name an entry of the answer by 32 bits.
void require_nameable_entries(world& w, const problem& p) {
  std::vector<std::int64_t> n_of(static_cast<std::size_t>(w.n_pes()), 0);
  for (std::int64_t r = 0; r < p.matrix.n_local_rows(); ++r) {
    const pe_id owner = p.matrix.rows.owner(p.rows.images[static_cast<std::size_t>(r)]);
    n_of[static_cast<std::size_t>(owner)] += static_cast<std::int64_t>(p.matrix.row(r).size());
  }
  w.sum(std::span(n_of));
  if (std::ranges::max(n_of) > UINT32_MAX) {
    throw setup_error("permute names entries by 32 bits, and a PE would get more; use more PEs");
  }
}

}  // namespace

problem make_problem(world& w, const parameters& given) {
  // Per vertex: offsets of both matrices, two images, and where the next entry goes. Per edge: its column in both, and once
  // more for the check.
  problem p{.matrix = read_graph(w, given.graph, {"permute", 8 + 8 + 16 + 8, 8 + 8 + 8})};
  p.rows = random_permutation(w, p.matrix.rows, given.seed);
  p.columns = random_permutation(w, p.matrix.columns_distribution(), given.seed + 1);
  require_nameable_entries(w, p);
  p.permuted = {.rows = p.matrix.rows, .pe = w.my_pe(), .n_columns = p.matrix.n_columns};
  p.next.resize(static_cast<std::size_t>(p.matrix.n_local_rows()));
  return p;
}

void allocate_rows(problem& p) {
  p.permuted.offsets.resize(p.next.size() + 1);
  for (std::size_t r = 0; r < p.next.size(); ++r) {
    const std::int64_t begin = p.permuted.offsets[r];
    p.permuted.offsets[r + 1] = begin + p.next[r];
    p.next[r] = begin;
  }
  p.permuted.columns.resize(static_cast<std::size_t>(p.permuted.offsets.back()));
}

}  // namespace shoal::kernels::permuting
