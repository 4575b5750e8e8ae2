/// Connected components: which vertices are joined by edges, whatever direction these have.
///
/// Every vertex has a parent with a lower number, or itself: a forest, in which each tree is a part of a component. An
/// edge joins two trees. This is Rem's algorithm with splicing (Dijkstra, "A discipline of programming", 1976, chapter 23;
/// Patwary, Blair and Manne, "Experiments on union-find algorithms for the disjoint-set data structure", SEA 2010) as
/// messages: whoever owns the higher vertex of a pair links it to the lower one, and passes on the pair that this leaves
/// to join. Numbers only fall, so it ends, in whatever order messages arrive, and no vertex is locked. Then each vertex
/// looks for its root, half the way in each round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_components();

namespace components {

struct parameters {
  graph_options graph = {};
};

/// Throws setup_error with one line that names the option.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work.
struct problem {
  sparse_matrix edges = {};
  std::vector<std::uint32_t> parents = {};  // of each vertex of this PE; the answer: the lowest vertex of its component
  std::uint64_t n_messages = 0;  // that this PE sent
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

// --- The messages. A vertex of the receiver is named by its local number, another one by its number in the graph.

/// The receiver's vertex `higher` is in one component with `lower`.
struct pair_to_join {
  std::uint32_t higher;
  std::uint32_t lower;
};

/// Asks for the parent of the receiver's vertex `of`, for the sender's vertex `child`.
struct query {
  std::uint32_t of;
  std::uint32_t child;
};

struct reply {
  std::uint32_t child;
  std::uint32_t parent;
};

/// Links the higher vertex to the lower one. Calls send(pe, pair) if that leaves a pair to join.
template <class Send>
void join(problem& p, pair_to_join pair, Send send) {
  std::uint32_t& parent = p.parents[pair.higher];
  const std::uint32_t old = parent;
  if (old == pair.lower) return;
  const bool was_root = old == static_cast<std::uint32_t>(p.edges.global_row(pair.higher));
  if (pair.lower < old) parent = pair.lower;
  if (was_root) return;
  const auto [pe, local] = p.edges.rows.place_of(std::max(old, pair.lower));
  send(pe, pair_to_join{static_cast<std::uint32_t>(local), std::min(old, pair.lower)});
}

/// Calls send(pe, pair) for each edge.
template <class Send>
void for_each_pair(const problem& p, Send send) {
  for (std::int64_t r = 0; r < p.edges.n_local_rows(); ++r) {
    const std::int64_t u = p.edges.global_row(r);
    for (const std::int64_t v : p.edges.row(r)) {
      if (u == v) continue;
      const auto [pe, local] = p.edges.rows.place_of(std::max(u, v));
      send(pe, pair_to_join{static_cast<std::uint32_t>(local), static_cast<std::uint32_t>(std::min(u, v))});
    }
  }
}

/// Replaces each parent by its root. `ask(children)` asks for the parents of the parents of these vertices, and calls
/// `answer` for each reply. Collective.
template <class Ask>
void find_roots(world& w, problem& p, Ask ask) {
  std::vector<std::uint32_t> searching;
  for (std::size_t v = 0; v < p.parents.size(); ++v) {
    if (p.parents[v] != static_cast<std::uint32_t>(p.edges.global_row(static_cast<std::int64_t>(v)))) {
      searching.push_back(static_cast<std::uint32_t>(v));
    }
  }
  std::vector<std::uint32_t> before;
  while (w.max(searching.size()) != 0) {
    before.clear();
    for (const std::uint32_t v : searching) before.push_back(p.parents[v]);
    ask(searching);
    std::size_t n = 0;
    for (std::size_t i = 0; i < searching.size(); ++i) {
      if (p.parents[searching[i]] != before[i]) searching[n++] = searching[i];
    }
    searching.resize(n);
  }
}

/// Calls send(pe, query) for each of these vertices.
template <class Send>
void for_each_query(const problem& p, const std::vector<std::uint32_t>& children, Send send) {
  for (const std::uint32_t child : children) {
    const auto [pe, local] = p.edges.rows.place_of(p.parents[child]);
    send(pe, query{static_cast<std::uint32_t>(local), child});
  }
}

void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The lowest vertex of the component of each vertex, serial and obvious, on the whole graph.
std::vector<std::int64_t> reference(std::int64_t n_vertices, const std::vector<entry>& edges);

// --- Checking the answer. Collective.

/// The number of components.
std::int64_t n_components(world& w, const problem& p);

/// The lowest vertex of the component of each vertex of this PE by other means: every vertex tells its neighbours the
/// lowest one that it knows, until nobody learns anything. For graphs without long ways.
std::vector<std::uint32_t> lowest_by_telling(world& w, const problem& p);

}  // namespace components
}  // namespace shoal::kernels
