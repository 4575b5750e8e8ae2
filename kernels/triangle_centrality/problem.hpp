/// Triangle centrality: how central a vertex of an undirected graph is, by the triangles around it (Burkhardt, "Triangle
/// centrality", 2021).
///
/// With T(v) triangles at vertex v and T in the graph,
///
///     TC(v) = (1/3 sum of T(u) over v and the neighbours that share a triangle with v
///              + sum of T(w) over the other neighbours) / T.
///
/// Every edge is stored once, in the row of its higher end. Three supersteps:
///
/// 1. For each vertex u and each pair v > w of its lower neighbours, ask v's owner whether v and w are neighbours. Each
///    triangle is found once so; it is counted at its three edges, one of which is the owner's.
/// 2. Each edge tells its count to both ends: their sum is twice T(v).
/// 3. The ends of each edge tell each other T(u), which counts once or thrice.
///
/// All of this is whole numbers: the answer is the numerator 3 T TC(v), and all variants have the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "kernels/row_search.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_triangle_centrality();

namespace triangle_centrality {

struct parameters {
  graph_options graph = {};
};

/// Throws setup_error with one line that names the option.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work. An edge is named by its position among the entries of `lower`.
struct problem {
  sparse_matrix lower = {};  // row i has the neighbours of i that are below it
  std::vector<std::uint32_t> n_at_edge = {};  // triangles of each edge
  std::vector<std::uint64_t> n_at_vertex = {};  // T(v); twice that in superstep 2
  std::vector<std::uint64_t> numerators = {};  // the answer: 3 T TC(v)
  std::uint64_t n_messages = 0;  // that this PE sent

  std::uint32_t first_edge(std::int64_t row) const {
    return static_cast<std::uint32_t>(lower.offsets[static_cast<std::size_t>(row)]);
  }
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// Forgets the last answer. Local.
void reset(problem& p);

// --- The messages. A row of the receiver is named by its local number, an edge by its number on the PE that has it.

/// Does row `row` have `vertex`? Both are neighbours of a vertex of the sender, by edges `first` and `second`.
struct probe {
  std::uint32_t row;
  std::uint32_t vertex;
  std::uint32_t first;
  std::uint32_t second;
};

/// It has: a triangle of two edges of the receiver.
struct hit {
  std::uint32_t first;
  std::uint32_t second;
};

/// An edge of row `row` has this many triangles.
struct edge_count {
  std::uint32_t row;
  std::uint32_t n_triangles;
};

/// What T(u) of a neighbour counts, of an edge with or without triangles.
inline std::uint64_t share_of(std::uint64_t n_triangles, bool is_in_triangle) {
  return is_in_triangle ? n_triangles : 3 * n_triangles;
}

/// T of a vertex, and whether the edge to a neighbour has triangles, in one word. T < 2^63, since no vertex has 2^32
/// neighbours.
struct edge_end {
  std::uint64_t word;

  bool is_in_triangle() const { return word % 2 != 0; }
  /// What T counts for the neighbour.
  std::uint64_t share() const { return share_of(word / 2, is_in_triangle()); }
};
inline edge_end edge_end_of(std::uint64_t n_triangles, bool is_in_triangle) {
  return {2 * n_triangles + is_in_triangle};
}

/// Row `row` has a neighbour, which is row `neighbour` of the sender.
struct meeting {
  std::uint32_t row;
  std::uint32_t neighbour;
  edge_end end;  // of the neighbour
};

/// Adds to the numerator of row `row`. In 12 bytes.
struct [[gnu::packed]] share {
  std::uint64_t value;
  std::uint32_t row;
};

// --- What the receiver of each message does.

/// Counts a triangle at the receiver's edge. Whether there is one.
inline bool count(problem& p, const probe& q) {
  const std::span<const std::int64_t> row = p.lower.row(q.row);
  const std::size_t at = index_of(row, q.vertex);
  if (at == row.size()) return false;
  ++p.n_at_edge[p.first_edge(q.row) + at];
  return true;
}

inline void count(problem& p, hit h) {
  ++p.n_at_edge[h.first];
  ++p.n_at_edge[h.second];
}

inline void count(problem& p, edge_count c) { p.n_at_vertex[c.row] += c.n_triangles; }

inline void add(problem& p, share s) { p.numerators[s.row] += s.value; }

/// Adds the neighbour's share, and returns what the neighbour has to add.
inline share meet(problem& p, const meeting& m) {
  add(p, {m.end.share(), m.row});
  return {share_of(p.n_at_vertex[m.row], m.end.is_in_triangle()), m.neighbour};
}

// --- What this PE has to send in each superstep.

/// Superstep 1: calls ask(pe, probe) for each pair of lower neighbours of a vertex.
template <class Ask>
void for_each_probe(problem& p, Ask ask) {
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    const std::span<const std::int64_t> below = p.lower.row(i);
    const std::uint32_t edge = p.first_edge(i);
    for (std::uint32_t k = 1; k < below.size(); ++k) {
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      const auto row = static_cast<std::uint32_t>(local);
      for (std::uint32_t l = 0; l < k; ++l) {
        ask(pe, probe{row, static_cast<std::uint32_t>(below[l]), edge + k, edge + l});
      }
      p.n_messages += k;
    }
  }
}

/// Superstep 2: calls tell(pe, edge_count) for the lower end of each edge that has triangles. Counts at the higher ends.
template <class Tell>
void for_each_count(problem& p, Tell tell) {
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    std::uint32_t edge = p.first_edge(i);
    for (const std::int64_t j : p.lower.row(i)) {
      const std::uint32_t n = p.n_at_edge[edge++];
      if (n == 0) continue;
      p.n_at_vertex[static_cast<std::size_t>(i)] += n;
      const auto [pe, local] = p.lower.rows.place_of(j);
      tell(pe, edge_count{static_cast<std::uint32_t>(local), n});
      ++p.n_messages;
    }
  }
}

/// Between the supersteps 2 and 3: halves the sums. A vertex's own share is its first. Local.
void begin_numerators(problem& p);

/// Superstep 3: calls meet(pe, meeting) for each edge.
template <class Meet>
void for_each_meeting(problem& p, Meet meet) {
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    std::uint32_t edge = p.first_edge(i);
    for (const std::int64_t j : p.lower.row(i)) {
      const auto [pe, local] = p.lower.rows.place_of(j);
      meet(pe,
           meeting{static_cast<std::uint32_t>(local), row, edge_end_of(p.n_at_vertex[row], p.n_at_edge[edge++] != 0)});
    }
    p.n_messages += p.lower.row(i).size();
  }
}

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_row_wise(world& w, problem& p);

/// What is known of a vertex.
struct at_vertex {
  std::uint64_t n_triangles = 0;
  std::uint64_t numerator = 0;
};

/// Serial and obvious, on the whole graph, each edge once.
std::vector<at_vertex> reference(std::int64_t n_vertices, std::span<const entry> edges);

// --- Evaluating the answer. Collective.

struct ranked {
  std::uint64_t numerator = 0;
  std::int64_t vertex = 0;
};

inline constexpr std::size_t n_top = 10;

struct outcome {
  std::uint64_t n_triangles = 0;  // of the graph
  std::uint64_t sum = 0;  // of all numerators
  std::vector<ranked> top = {};  // at most n_top, highest first; equal ones by their numbers

  /// What a numerator stands for.
  double centrality(std::uint64_t numerator) const {
    return n_triangles == 0 ? 0 : static_cast<double>(numerator) / (3 * static_cast<double>(n_triangles));
  }
};
/// The same on every PE.
outcome outcome_of(world& w, const problem& p);

}  // namespace triangle_centrality
}  // namespace shoal::kernels
