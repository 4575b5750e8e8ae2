/// PageRank: how often a reader who follows random links, and sometimes jumps, is on which page.
///
/// Brin and Page, "The anatomy of a large-scale hypertextual web search engine" (1998), section 2.1. Pages without
/// links (dangling) count as linked to every page, as in Langville and Meyer, "Deeper inside PageRank" (2004), section
/// 3.1. In each step of the power iteration, every vertex distributes its rank in equal shares to those it points to:
///
///     rank'(v) = (1 - d + d * dangling) / n + d * sum over edges u -> v of rank(u) / out_degree(u).
///
/// Only the sum needs other PEs. `push` sends shares along the edges. `pull` asks for them against the edges: two
/// messages instead of one, but each owner adds in its own order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_pagerank();

namespace pagerank {

enum class direction : std::uint8_t { push, pull };

struct parameters {
  graph_options graph = {};
  direction along = direction::push;
  bool is_undirected = false;
  double damping = 0.85;
  // Iteration ends when the ranks change by less than this per vertex: |rank' - rank|_1 < n * tolerance,
  // as in NetworkX. Ranks are then off by less than n * tolerance * damping / (1 - damping) in all.
  double tolerance = 1e-12;
  std::uint64_t n_iterations_max = 1000;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// The result of the power iteration.
struct outcome {
  std::uint64_t n_iterations = 0;
  double change = 0;  // of all ranks together in the last iteration
  bool has_converged = false;
};

/// The data of one PE on which the variants work. `out_degree` and the members after it have an element for each vertex
/// of this PE.
struct problem {
  parameters given;
  sparse_matrix edges = {};  // row u, push: vertices that u points to; pull: vertices that point to u
  std::vector<std::int64_t> out_degree = {};
  std::vector<double> ranks = {};  // the answer
  outcome reached = {};

  // Of the current iteration.
  std::vector<double> shares = {};  // rank / out_degree; 0 for dangling vertices
  std::vector<double> sums = {};  // of the shares of vertices that point here
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// Power iteration from equal ranks. The variants differ in `add_shares`: when it returns on every PE, sums[v], zero
/// before, is the sum of shares[u] over every edge u -> v. Collective.
void iterate(world& w, problem& p, const std::function<void()>& add_shares);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_parallel(world& w, problem& p);
void run_array(world& w, problem& p);

/// The messages of this PE in an iteration of run_array. Collective.
std::uint64_t n_array_messages(world& w, const problem& p);

// The messages. A vertex is named by its local index on the PE that owns it, which takes 4 bytes.

/// Adds `share` to the sum of the receiver's vertex `to`. Packed into 12 bytes, a quarter fewer than with padding.
struct [[gnu::packed]] contribution {
  double share;
  std::uint32_t to;
};

/// Asks for the share of the receiver's vertex `of`, for the sender's vertex `to`.
struct query {
  std::uint32_t of;
  std::uint32_t to;
};

constexpr std::uint32_t narrow(std::int64_t local) noexcept { return static_cast<std::uint32_t>(local); }

/// The ranks of all vertices, and how they were computed.
struct ranking {
  std::vector<double> ranks;
  outcome reached = {};
};

/// Serial and obvious, on the whole graph; vertices count from 0.
ranking reference(std::int64_t n_vertices, std::span<const entry> edges, const parameters& given);

// --- Evaluating the answer. Collective.

struct ranked {
  double rank = 0;
  std::int64_t vertex = 0;
};

inline constexpr std::size_t n_top = 10;

/// The vertices of highest rank, at most n_top of them, highest first; the same on every PE.
std::vector<ranked> top(world& w, const problem& p);

/// All ranks on PE 0, by vertex; empty elsewhere.
std::vector<double> gather_ranks(world& w, const problem& p);

/// The reference's answer to the problem on PE 0; empty elsewhere. For graphs that fit on one PE.
ranking reference_of(world& w, const problem& p);

/// How much one more iteration would change the ranks, all together. Makes that iteration itself: with one-sided gets,
/// or with messages if there is no one-sided access.
double residual(world& w, const problem& p, bool is_one_sided);

}  // namespace pagerank
}  // namespace shoal::kernels
