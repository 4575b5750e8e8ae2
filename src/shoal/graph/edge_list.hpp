/// Graphs as lists of edges, one a line of text.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

struct edge_list_options {
  layout rows = layout::cyclic;
  std::int64_t n_vertices = 0;  // 0: as many as the largest number in the file says
  std::int64_t first_vertex = 0;  // the number of the first vertex in the file, 0 or 1
  bool with_values = true;  // false: only the pattern, even if the lines have weights
  bool with_duplicates = false;  // true: keep repeated edges; false: add them up
  bool is_undirected = false;  // true: each line is an edge in both directions
};

/// Reads a graph as a square matrix: the line `from to` is entry (from, to). All PEs name the same file, plain or
/// compressed with gzip, which all must be able to read; each gets its rows. Collective; waits. Not in a handler.
///
/// Blanks, tabs or one comma separate the numbers. If lines have a third number, that is the weight, and all lines have
/// one. Lines that begin with # or % are comments; blank lines may be anywhere; lines may end as in Windows. The file is
/// parsed twice: first to check it and to find the number of vertices.
///
/// Throws setup_error on every PE or on none, with one line that names file and line, what is wrong, and what would be
/// right: "graph.txt:17: vertex 12 is out of range (the graph has 10 vertices)".
sparse_matrix read_edge_list(world& w, const std::string& path, const edge_list_options& options = {});

/// Writes the entries of a square matrix as plain text, after a comment with their number; vertices count from 0. Has
/// weights if the matrix has values. Vertices after the last one with an edge are lost unless the reader is told their
/// number. Everything else as in write_matrix_market.
void write_edge_list(world& w, const sparse_matrix& m, const std::string& path);

}  // namespace shoal
