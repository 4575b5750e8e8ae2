/// Breadth-first search: which vertices can be reached from one, over how few edges, and a tree of shortest ways.
///
/// Level by level, from the root: every PE tells the owners of the neighbours of its newest vertices, and those that are
/// told for the first time are the next level (top-down; Graph500 1.2.0, kernel 2).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_bfs();

namespace bfs {

struct parameters {
  graph_options graph = {};
  std::string root = "most";  // a number from 1 on, as in files, or a name; most: the vertex with most edges
  bool is_undirected = false;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// A vertex that has not been reached has this parent and level.
inline constexpr std::int64_t nothing = -1;

/// The data of one PE on which the variants work. `parents` and `levels` have an element for each vertex of this PE.
struct problem {
  parameters given;
  sparse_matrix edges = {};  // row u: where an edge leads from u
  std::int64_t root = 0;
  std::vector<std::int64_t> parents = {};  // the answer: a vertex from which this one was reached; the root's is itself
  std::vector<std::int64_t> levels = {};  // the answer: how many edges away from the root

  // Of the current level.
  std::int64_t level = 0;
  std::vector<std::uint32_t> newest = {};  // vertices of this PE on that level, by local number
  std::vector<std::uint32_t> next = {};  // and on the next one
};

/// Collective: reads the graph and finds the root. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// The message: the receiver's vertex `to` has an edge from vertex `parent`. In 8 bytes, so up to 2^32 vertices.
struct visit {
  std::uint32_t to;
  std::uint32_t parent;
};

/// Handles it.
inline void arrive(problem& p, visit v) {
  if (p.parents[v.to] != nothing) return;
  p.parents[v.to] = v.parent;
  p.levels[v.to] = p.level + 1;
  p.next.push_back(v.to);
}

/// Searches from the root. The variants differ in `expand`, which makes all visits along the edges of the newest
/// vertices. Collective.
void search(world& w, problem& p, const std::function<void()>& expand);

/// Calls send(pe, visit) for each edge of a newest vertex.
template <class Send>
void for_each_visit(const problem& p, Send send) {
  for (const std::uint32_t u : p.newest) {
    const auto parent = static_cast<std::uint32_t>(p.edges.global_row(u));
    for (const std::int64_t v : p.edges.row(u)) {
      const auto [pe, local] = p.edges.rows.place_of(v);
      send(pe, visit{static_cast<std::uint32_t>(local), parent});
    }
  }
}

void run_agp(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The level of each vertex, serial and obvious, on the whole graph.
std::vector<std::int64_t> reference(std::int64_t n_vertices, std::int64_t root, const std::vector<entry>& edges);

// --- Checking the answer. Collective.

/// How many vertices were reached, how far the farthest is, and how many edges lead from them.
struct outcome {
  std::int64_t n_reached = 0;
  std::int64_t eccentricity = 0;
  std::int64_t n_edges = 0;
};
outcome outcome_of(world& w, const problem& p);

/// What no wrong answer has (Graph500's validation, for directed graphs too): the root is its own parent on level 0; any
/// other vertex that was reached has an edge from its parent, one level below; an edge from a reached vertex leads to a
/// reached one, at most one level above. The number of faults, the same on every PE.
std::int64_t n_faults(world& w, const problem& p);

}  // namespace bfs
}  // namespace shoal::kernels
