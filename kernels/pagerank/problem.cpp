#include "kernels/pagerank/problem.hpp"

#include <cmath>
#include <cstdlib>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::pagerank {
namespace {

// A number in [0, 1).
double parse_fraction(const std::string& name, const std::string& text, const char* otherwise) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && value >= 0 && value < 1) return value;
  throw setup_error("--" + name + "=" + text +
                    " is not a number that is at least 0 and less than 1; try the "
                    "default, " +
                    otherwise);
}

direction parse_direction(const std::string& text) {
  if (text == "push") return direction::push;
  if (text == "pull") return direction::pull;
  throw setup_error("--direction=" + text + " is neither push nor pull");
}

// Per vertex: two arrays of offsets (the second while a graph is turned round), out_degree and three arrays of the
// problem, and at the end 24 bytes for the check of the answer. Per edge: its column, once more while the graph is
// turned round, and a third time if each edge goes both ways.
memory_need memory_of(const parameters& given) {
  return {.kernel = "pagerank",
          .bytes_per_vertex = 2 * 8 + 4 * 8 + 24,
          .bytes_per_edge = given.is_undirected ? 24.0 : 16.0};
}

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name == "direction") {
      given.along = parse_direction(value);
    } else if (name == "undirected") {
      given.is_undirected = parse_switch(name, value);
    } else if (name == "damping") {
      given.damping = parse_fraction(name, value, "0.85");
    } else if (name == "tolerance") {
      given.tolerance = parse_fraction(name, value, "1e-12");
    } else if (name == "iterations") {
      given.n_iterations_max = whole_number("--iterations", value, 1, 1'000'000'000);
    } else {
      throw setup_error("pagerank has no option --" + name);
    }
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  problem p{.given = given};
  p.edges = read_graph(w, given.graph, memory_of(given));
  if (p.edges.n_rows() == 0) throw setup_error(given.graph.input + given.graph.generated + " has no vertices to rank");
  if (given.is_undirected) p.edges = symmetrise(w, p.edges);
  p.out_degree = row_degrees(p.edges);
  if (given.along == direction::pull && !given.is_undirected) p.edges = transpose(w, p.edges);
  const std::size_t n_local = p.out_degree.size();
  p.ranks.resize(n_local);
  p.shares.resize(n_local);
  p.sums.resize(n_local);
  return p;
}

void iterate(world& w, problem& p, const std::function<void()>& add_shares) {
  const auto n = static_cast<double>(p.edges.n_rows());
  const double damping = p.given.damping;
  p.reached = {};
  p.ranks.assign(p.ranks.size(), 1 / n);
  while (!p.reached.has_converged && p.reached.n_iterations < p.given.n_iterations_max) {
    double dangling = 0;
    for (std::size_t u = 0; u < p.ranks.size(); ++u) {
      const bool is_dangling = p.out_degree[u] == 0;
      if (is_dangling) dangling += p.ranks[u];
      p.shares[u] = is_dangling ? 0 : p.ranks[u] / static_cast<double>(p.out_degree[u]);
    }
    p.sums.assign(p.sums.size(), 0);
    const double jumped = (1 - damping + damping * w.sum(dangling)) / n;

    add_shares();

    double change = 0;
    for (std::size_t v = 0; v < p.ranks.size(); ++v) {
      const double rank = jumped + damping * p.sums[v];
      change += std::abs(rank - p.ranks[v]);
      p.ranks[v] = rank;
    }
    p.reached.change = w.sum(change);
    p.reached.has_converged = p.reached.change < n * p.given.tolerance;
    ++p.reached.n_iterations;
  }
}

}  // namespace shoal::kernels::pagerank
