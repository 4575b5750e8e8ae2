/// K-core decomposition: for each vertex, the largest k such that it is in a part of the graph in which every vertex has at
/// least k neighbours (Seidman, "Network structure and minimum degree", Social Networks 1983).
///
/// By peeling (Batagelj and Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003): for k = 0, 1, …,
/// vertices with at most k neighbours left are taken away, and those that lose a neighbour by that perhaps too. One
/// superstep for each k; inside it vertices go in whatever order messages arrive, which does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/actor/work_list.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_kcore();

namespace kcore {

struct parameters {
  graph_options graph = {};
};

/// Throws setup_error with one line that names the option.
parameters parse(const option_list& options);

/// The core of a vertex that has not been taken away.
inline constexpr std::uint32_t undecided = UINT32_MAX;

/// The data of one PE on which the variants work. Arrays have an element for each vertex of this PE.
struct problem {
  sparse_matrix both = {};  // of the undirected graph
  std::vector<std::uint32_t> n_left = {};  // neighbours that are left
  std::vector<std::uint32_t> cores = {};  // the answer
  std::uint32_t k = 0;  // of the current superstep
  std::uint64_t n_messages = 0;  // that this PE sent
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// Forgets the last answer. Local.
void reset(problem& p);

/// A vertex of this PE loses a neighbour. Whether it goes by that.
inline bool lose(problem& p, std::uint32_t vertex) {
  if (p.cores[vertex] != undecided) return false;
  if (--p.n_left[vertex] > p.k) return false;
  p.cores[vertex] = p.k;
  return true;
}

/// What tell_neighbours will touch first.
inline const void* neighbours_of(const problem& p, std::uint32_t vertex) {
  return p.both.columns.data() + p.both.offsets[vertex];
}

/// Calls send(pe, vertex) for each neighbour of a vertex that goes. The message is a local number, in 4 bytes.
template <class Send>
void tell_neighbours(problem& p, std::uint32_t vertex, Send send) {
  const auto neighbours = p.both.row(vertex);
  for (const std::int64_t neighbour : neighbours) {
    const auto [pe, local] = p.both.rows.place_of(neighbour);
    send(pe, static_cast<std::uint32_t>(local));
  }
  p.n_messages += neighbours.size();
}

/// Peels: for each k, `take_away(vertices)` tells the neighbours of these vertices, and of those that go by that. It waits
/// until that is over. Collective.
template <class TakeAway>
void peel(world& w, problem& p, TakeAway take_away) {
  std::vector<std::uint32_t> left(p.cores.size());
  for (std::size_t v = 0; v < left.size(); ++v) left[v] = static_cast<std::uint32_t>(v);
  std::vector<std::uint32_t> going;
  for (p.k = 0; w.max(left.size()) != 0; ++p.k) {
    going.clear();
    for (const std::uint32_t v : left) {
      if (p.n_left[v] > p.k) continue;
      p.cores[v] = p.k;
      going.push_back(v);
    }
    take_away(going);
    std::erase_if(left, [&](std::uint32_t v) { return p.cores[v] != undecided; });
  }
}

void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The core of each vertex, serial and obvious.
std::vector<std::uint32_t> reference(std::int64_t n_vertices, const std::vector<entry>& both);

// --- Checking the answer. Collective.

/// The cores of this PE's vertices by other means: every vertex begins with its degree, and takes the largest h of which at
/// least h neighbours have h or more, until nothing changes (Lü et al., "The H-index of a network node and its relation to
/// degree and coreness", Nature Communications 2016).
std::vector<std::uint32_t> cores_by_h_index(world& w, const problem& p);

}  // namespace kcore
}  // namespace shoal::kernels
