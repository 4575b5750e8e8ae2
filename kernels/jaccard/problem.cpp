#include "kernels/jaccard/problem.hpp"

#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::jaccard {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (!parse_graph_option(given.graph, name, value)) throw setup_error("jaccard has no option --" + name);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  // Per vertex: two arrays of offsets. Per edge: as read, and twice in the undirected graph with two numbers each.
  problem p{.both = symmetrise(w, read_graph(w, given.graph, {"jaccard", 16, 8 + 2 * (8 + 4 + 4)}))};
  if (w.max(p.both.n_local_entries()) > UINT32_MAX) {
    throw setup_error("jaccard names edges by 32 bits, and a PE has more edges; use more PEs");
  }
  p.n_common.resize(p.both.columns.size());
  p.degrees.resize(p.both.columns.size());
  return p;
}

std::uint64_t n_questions(const problem& p) {
  std::uint64_t n = 0;
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) n += p.lower(i).size() * p.both.row(i).size();
  return n;
}

outcome outcome_of(world& w, const problem& p) {
  outcome mine;
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
    const std::size_t first = p.first_edge(i);
    for (std::size_t e = first; e < first + p.lower(i).size(); ++e) {
      const double n_common = p.n_common[e];
      const double similarity = n_common / (static_cast<double>(p.both.row(i).size()) + p.degrees[e] - n_common);
      mine.sum += similarity;
      mine.max = std::max(mine.max, similarity);
    }
  }
  return {w.sum(mine.sum), w.max(mine.max)};
}

}  // namespace shoal::kernels::jaccard
