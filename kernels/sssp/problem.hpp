/// Shortest paths from one vertex: how far each other one is, over edges with random lengths.
///
/// Delta-stepping (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path algorithm", Journal of Algorithms
/// 2003), asynchronously: vertices whose distance fell wait in buckets of width delta, and every PE does its lowest bucket
/// first. A PE may run ahead of others and later hear of a shorter way; then it does the vertex again. So there is no
/// superstep for each bucket, and light and heavy edges need not be told apart.
///
/// A distance is the sum of the lengths from the root on, in this order. Rounding is monotone, so the least distances do
/// not depend on the order of messages, and must equal a serial program's to the last bit.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/actor/keyed_work_list.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_sssp();

namespace sssp {

struct parameters {
  graph_options graph = {};
  std::string root = "most";  // as in bfs
  bool is_undirected = false;
  std::uint64_t seed = 1;  // of the lengths
  double delta = 0;  // 0: 1 over the average number of edges of a vertex
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

inline constexpr double far = std::numeric_limits<double>::infinity();

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  sparse_matrix edges = {};  // row u: where an edge leads from u, and how long it is
  std::int64_t root = 0;
  double delta = 1;
  std::vector<double> distances = {};  // the answer, for each vertex of this PE
  std::uint64_t n_messages = 0;  // that this PE sent

  std::uint64_t bucket(double distance) const { return static_cast<std::uint64_t>(distance / delta); }
};

/// Collective: reads the graph and finds the root. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// The message: there is a way of this length to the receiver's vertex `to`. In 12 bytes.
struct [[gnu::packed]] offer {
  double distance;
  std::uint32_t to;
};

/// Whether an offer is the shortest way so far.
inline bool improve(problem& p, const offer& o) {
  if (o.distance >= p.distances[o.to]) return false;
  p.distances[o.to] = o.distance;
  return true;
}

/// Calls send(pe, offer) for each edge of a vertex of this PE.
template <class Send>
void offer_ways(problem& p, std::size_t vertex, double distance, Send send) {
  const auto row = static_cast<std::int64_t>(vertex);
  const std::span<const std::int64_t> columns = p.edges.row(row);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto [pe, local] = p.edges.rows.place_of(columns[i]);
    send(pe, offer{distance + p.edges.row_values(row)[i], static_cast<std::uint32_t>(local)});
  }
  p.n_messages += columns.size();
}

/// Of two distances that wait for a vertex, the shorter one counts.
struct shorter {
  void operator()(double& mine, double other) const noexcept { mine = mine < other ? mine : other; }
};

void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The distances from the root, serial and obvious (Dijkstra's algorithm).
std::vector<double> reference(std::int64_t n_vertices, std::int64_t root, const std::vector<weighted_entry>& edges);

// --- Checking the answer. Collective.

/// What no wrong answer has: the root has distance 0; no edge offers a shorter way than the one that was found; and each
/// other vertex that was reached has an edge that offers its distance. The number of faults, the same on every PE.
std::int64_t n_faults(world& w, const problem& p);

}  // namespace sssp
}  // namespace shoal::kernels
