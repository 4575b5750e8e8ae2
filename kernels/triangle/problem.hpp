/// Triangle counting: how many sets of three vertices of an undirected graph are joined pairwise.
///
/// Every edge is stored once, as (i, j) with i > j: the strictly lower half L of the adjacency matrix,
/// rows ascending, vertices spread over the PEs. Two algorithms of bale (its app `triangle`; in matrix
/// terms after Azad, Buluç and Gilbert, "Parallel triangle counting and enumeration using matrix algebra",
/// IPDPSW 2015) differ in which pair of a triangle's edges they start from:
///
/// - 0, L & L*U: for each edge (i, j) and each w < j that neighbours i, ask j's row of L for w.
/// - 1, L & U*L: for each edge (i, j) and each w > i that neighbours i, ask j's row of U for w.
///
/// Both find each triangle once: from its largest vertex, or from its middle one.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "kernels/row_search.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_triangle();

namespace triangle {

struct parameters {
  graph_options graph = {};
  int algorithm = 0;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  sparse_matrix lower = {};  // row i has the neighbours of i that are below it
  sparse_matrix upper = {};  // and those above it; algorithm 1 only
  std::uint64_t n_triangles = 0;  // the answer: found by this PE

  /// The rows to search.
  const sparse_matrix& asked() const noexcept { return given.algorithm == 0 ? lower : upper; }

  /// The vertices that may close a triangle with edge `k` in row `i` of L.
  std::span<const std::int64_t> candidates(std::size_t i, std::size_t k) const noexcept {
    return given.algorithm == 0 ? lower.row(i).first(k) : upper.row(i);
  }
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// The message: does row `row` of the receiver have `vertex`? In 8 bytes, so up to 2^32 vertices.
struct probe {
  std::uint32_t row;
  std::uint32_t vertex;
};

/// The answer to a probe: 1 or 0.
inline std::uint64_t n_found(const problem& p, probe asked) { return contains(p.asked().row(asked.row), asked.vertex); }

/// How many probes this PE has to make.
std::uint64_t n_probes(const problem& p);

/// Calls send(pe, probe) for every probe that this PE has to make.
template <class Send>
void for_each_probe(const problem& p, Send send) {
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    const std::span<const std::int64_t> below = p.lower.row(i);
    for (std::size_t k = 0; k < below.size(); ++k) {
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      const auto row = static_cast<std::uint32_t>(local);
      for (const std::int64_t vertex : p.candidates(i, k)) {
        send(pe, probe{row, static_cast<std::uint32_t>(vertex)});
      }
    }
  }
}

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_parallel(world& w, problem& p);
/// Returns how many messages this PE sent.
std::uint64_t run_row_wise(world& w, problem& p);

/// Serial and obvious, on the whole graph, each edge once.
std::uint64_t reference(std::int64_t n_vertices, std::span<const entry> edges);

// --- The number of triangles by other means, for comparison; the same on every PE. Collective.

/// By the reference on PE 0, for graphs that fit on one PE.
std::uint64_t count_serially(world& w, const problem& p);

/// By the other algorithm than the problem asks for: with one-sided gets, or with messages if there is no one-sided
/// access.
std::uint64_t count_otherwise(world& w, const problem& p, bool is_one_sided);

}  // namespace triangle
}  // namespace shoal::kernels
