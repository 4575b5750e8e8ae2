/// Graphs as files: reading and symmetrising for the programs that run in one process.
#pragma once

#include <cstdint>
#include <string>

#include "comparators/support/matrix.hpp"

namespace comparators {

/// The pattern of a square MatrixMarket file in coordinate form, as text: entry (i, j) is the edge from i to j, each once,
/// columns ascending. A file that it cannot read ends the program with status 2 and one line.
sparse_rows read_graph(const std::string& file);

/// The edges in both directions, without loops.
sparse_rows undirected(const sparse_rows& graph);

/// The rows by column: what leads to each vertex.
sparse_rows transposed(const sparse_rows& graph);

/// The neighbours of each vertex that have lower numbers.
sparse_rows below_diagonal(const sparse_rows& graph);

/// The same of the graph whose vertices are numbered anew: those with most neighbours first.
sparse_rows below_diagonal_by_degree(const sparse_rows& below);

/// The vertex with most edges; of several the first.
std::int64_t vertex_of_most(const sparse_rows& graph);

}  // namespace comparators
