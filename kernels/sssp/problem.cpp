#include "kernels/sssp/problem.hpp"

#include <algorithm>

#include "kernels/options.hpp"
#include "kernels/root.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::sssp {
namespace {

// Per vertex: two arrays of offsets, distance, and 24 bytes of the list of waiting vertices. Per edge: column and length,
// and columns again while the graph is made undirected.
memory_need memory_of(const parameters& given) {
  return {.kernel = "sssp", .bytes_per_vertex = 16 + 8 + 24, .bytes_per_edge = given.is_undirected ? 8 + 32.0 : 16.0};
}

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name == "root") {
      given.root = value;
    } else if (name == "undirected") {
      given.is_undirected = parse_switch(name, value);
    } else if (name == "seed") {
      given.seed = whole_number("--seed", value, 0, INT64_MAX);
    } else if (name == "delta") {
      given.delta = value == "auto" ? 0 : parse_real(value, "--delta", 1e-9, 1e9);
    } else {
      throw setup_error("sssp has no option --" + name);
    }
  }
  require_root(given.root);
  return given;
}

problem make_problem(world& w, const parameters& given) {
  problem p{.given = given, .edges = read_graph(w, given.graph, memory_of(given))};
  if (p.edges.n_rows() == 0) throw setup_error("a graph without vertices has no root; give another graph");
  if (given.is_undirected) p.edges = symmetrise(w, p.edges);
  set_random_values(p.edges, given.seed);
  p.root = find_root(w, given.root, given.graph, p.edges);
  const double n = static_cast<double>(std::max<std::int64_t>(1, n_entries(w, p.edges)));
  p.delta = given.delta != 0 ? given.delta : std::min(1.0, static_cast<double>(p.edges.n_rows()) / n);
  p.distances.assign(static_cast<std::size_t>(p.edges.n_local_rows()), far);
  return p;
}

std::int64_t n_faults(world& w, const problem& p) {
  std::vector<char> is_offered(p.distances.size(), 0);
  std::int64_t n = 0;
  actor offers{w, [&](const offer& o) {
                 n += o.distance < p.distances[o.to];
                 if (o.distance == p.distances[o.to]) is_offered[o.to] = 1;
               }};
  w.finish([&] {
    for (std::size_t u = 0; u < p.distances.size(); ++u) {
      if (p.distances[u] == far) continue;
      const auto row = static_cast<std::int64_t>(u);
      for (std::size_t i = 0; i < p.edges.row(row).size(); ++i) {
        const auto [pe, local] = p.edges.rows.place_of(p.edges.row(row)[i]);
        offers.send(pe, offer{p.distances[u] + p.edges.row_values(row)[i], static_cast<std::uint32_t>(local)});
      }
    }
  });
  for (std::size_t v = 0; v < p.distances.size(); ++v) {
    const bool is_root = p.edges.global_row(static_cast<std::int64_t>(v)) == p.root;
    n += is_root ? p.distances[v] != 0 : p.distances[v] != far && is_offered[v] == 0;
  }
  return w.sum(n);
}

}  // namespace shoal::kernels::sssp
