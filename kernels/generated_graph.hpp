/// Graphs that are made instead of read, as an option names them: rmat:scale=18,factor=16.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/graph/generators.hpp"

namespace shoal::kernels {

enum class graph_kind : std::uint8_t { erdos_renyi, geometric, rmat, stars };

/// A graph, and how large it is about.
struct generated_graph {
  graph_kind kind = graph_kind::erdos_renyi;
  random_graph_options how = {};
  std::int64_t n_vertices = 0;
  double n_edges = 0;  // expected; each edge of an undirected graph once
  double probability = 0;  // Erdős–Rényi
  double radius = 0;  // geometric
  rmat_options rmat = {};
  std::vector<std::int64_t> n_leaves = {};  // stars
  star_loop loop = star_loop::none;
};

/// Parses "KIND:KEY=VALUE,…". The keys `per_pe` and `n` need the number of PEs. Throws setup_error: one line that names
/// the wrong part and what would be right.
generated_graph parse_generated_graph(const std::string& text, pe_id n_pes);

/// What may be written, for `shoal run KERNEL --help`.
extern const char* const generated_graph_help;

/// Makes it. Collective; waits.
sparse_matrix generate(world& w, const generated_graph& g);

}  // namespace shoal::kernels
