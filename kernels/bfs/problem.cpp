#include "kernels/bfs/problem.hpp"

#include <algorithm>

#include "kernels/root.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::bfs {
namespace {

// Per vertex: two arrays of offsets while the graph is made undirected, parent, level and the lists of two levels. Per
// edge: its column, and twice again in the undirected graph.
memory_need memory_of(const parameters& given) {
  return {.kernel = "bfs", .bytes_per_vertex = 16 + 16 + 8, .bytes_per_edge = given.is_undirected ? 24.0 : 8.0};
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
    } else {
      throw setup_error("bfs has no option --" + name);
    }
  }
  require_root(given.root);
  return given;
}

problem make_problem(world& w, const parameters& given) {
  problem p{.given = given, .edges = read_graph(w, given.graph, memory_of(given))};
  if (p.edges.n_rows() == 0) throw setup_error("a graph without vertices has no root; give another graph");
  if (given.is_undirected) p.edges = symmetrise(w, p.edges);
  p.root = find_root(w, given.root, given.graph, p.edges);
  p.parents.resize(static_cast<std::size_t>(p.edges.n_local_rows()));
  p.levels.resize(p.parents.size());
  return p;
}

void search(world& w, problem& p, const std::function<void()>& expand) {
  p.parents.assign(p.parents.size(), nothing);
  p.levels.assign(p.levels.size(), nothing);
  p.newest.clear();
  p.next.clear();
  p.level = -1;
  const auto [pe, local] = p.edges.rows.place_of(p.root);
  if (pe == w.my_pe()) arrive(p, {static_cast<std::uint32_t>(local), static_cast<std::uint32_t>(p.root)});
  while (true) {
    ++p.level;
    p.newest.swap(p.next);
    p.next.clear();
    if (w.max(p.newest.size()) == 0) return;
    expand();
  }
}

outcome outcome_of(world& w, const problem& p) {
  outcome mine;
  for (std::size_t v = 0; v < p.levels.size(); ++v) {
    if (p.levels[v] == nothing) continue;
    ++mine.n_reached;
    mine.eccentricity = std::max(mine.eccentricity, p.levels[v]);
    mine.n_edges += static_cast<std::int64_t>(p.edges.row(static_cast<std::int64_t>(v)).size());
  }
  return {w.sum(mine.n_reached), w.max(mine.eccentricity), w.sum(mine.n_edges)};
}

std::int64_t n_faults(world& w, const problem& p) {
  struct claim {  // vertex `child` is on level `level` and has an edge from the receiver's vertex `parent`
    std::int64_t parent;
    std::int64_t child;
    std::int64_t level;
  };
  struct bound {  // the receiver's vertex `to` is on level `level` at most
    std::int64_t to;
    std::int64_t level;
  };
  std::int64_t n = 0;
  w.finish([&] {
    actor claims{w, [&](const claim& c) {
                   const auto parent = static_cast<std::size_t>(c.parent);
                   const bool is_edge = std::ranges::binary_search(p.edges.row(c.parent), c.child);
                   n += !is_edge || p.levels[parent] == nothing || p.levels[parent] + 1 != c.level;
                 }};
    actor bounds{w, [&](const bound& b) {
                   const std::int64_t level = p.levels[static_cast<std::size_t>(b.to)];
                   n += level == nothing || level > b.level;
                 }};
    for (std::size_t v = 0; v < p.levels.size(); ++v) {
      const auto row = static_cast<std::int64_t>(v);
      const std::int64_t vertex = p.edges.global_row(row);
      const std::int64_t parent = p.parents[v];
      const std::int64_t level = p.levels[v];
      if ((parent == nothing) != (level == nothing)) ++n;
      if (vertex == p.root) {
        n += parent != vertex || level != 0;
      } else if (parent != nothing) {
        if (parent < 0 || parent >= p.edges.n_rows()) {
          ++n;
        } else {
          const place at = p.edges.rows.place_of(parent);
          claims.send(at.pe, claim{at.local, vertex, level});
        }
      }
      if (level == nothing) continue;
      for (const std::int64_t to : p.edges.row(row)) {
        const place at = p.edges.rows.place_of(to);
        bounds.send(at.pe, bound{at.local, level + 1});
      }
    }
  });
  return w.sum(n);
}

}  // namespace shoal::kernels::bfs
