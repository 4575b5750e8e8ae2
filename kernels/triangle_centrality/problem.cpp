#include "kernels/triangle_centrality/problem.hpp"

#include <algorithm>
#include <numeric>

#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

// Per vertex: the offsets of the graph as read, of both directions and of the lower half; counts and numerators. Per
// edge: its column as read, twice in the undirected graph, and in the lower half with its count.
constexpr double bytes_per_vertex = 3 * 8 + 2 * 8;
constexpr double bytes_per_edge = 8 + 16 + 8 + 4;

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (!parse_graph_option(given.graph, name, value)) throw setup_error("triangle_centrality has no option --" + name);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  const memory_need need{"triangle_centrality", bytes_per_vertex, bytes_per_edge};
  problem p{.lower = strict_lower(symmetrise(w, read_graph(w, given.graph, need)))};
  if (w.max(p.lower.n_local_entries()) > UINT32_MAX) {
    throw setup_error("triangle_centrality names edges by 32 bits, and a PE has more edges; use more PEs");
  }
  reset(p);
  return p;
}

void reset(problem& p) {
  p.n_at_edge.assign(p.lower.columns.size(), 0);
  p.n_at_vertex.assign(static_cast<std::size_t>(p.lower.n_local_rows()), 0);
  p.numerators.assign(p.n_at_vertex.size(), 0);
  p.n_messages = 0;
}

void begin_numerators(problem& p) {
  for (std::uint64_t& n : p.n_at_vertex) n /= 2;
  p.numerators = p.n_at_vertex;
}

outcome outcome_of(world& w, const problem& p) {
  const auto is_before = [](const ranked& a, const ranked& b) {
    return a.numerator != b.numerator ? a.numerator > b.numerator : a.vertex < b.vertex;
  };
  const auto keep_top = [&](std::vector<ranked>& some) {
    const std::size_t n = std::min(n_top, some.size());
    std::ranges::partial_sort(some, some.begin() + static_cast<std::ptrdiff_t>(n), is_before);
    some.resize(n);
  };
  std::vector<ranked> mine;
  for (std::size_t v = 0; v < p.numerators.size(); ++v) {
    mine.push_back({p.numerators[v], p.lower.global_row(static_cast<std::int64_t>(v))});
  }
  keep_top(mine);
  const auto gathered = w.gather(std::span(mine));
  std::vector<ranked> top(gathered.values().begin(), gathered.values().end());
  keep_top(top);
  const auto sum_of = [&](const std::vector<std::uint64_t>& values) {
    return w.sum(std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
  };
  return {sum_of(p.n_at_vertex) / 3, sum_of(p.numerators), std::move(top)};
}

}  // namespace shoal::kernels::triangle_centrality
