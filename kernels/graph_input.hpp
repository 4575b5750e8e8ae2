/// What the graph kernels share: options, reading the graph, gathering it for a reference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/sparse_matrix.hpp"

namespace shoal::kernels {

struct graph_options {
  std::string input;  // a file or directory, in whatever form (shoal/graph/matrix_form.hpp); empty: `generated`
  std::int64_t first_vertex = 0;  // of an edge list
  std::string generated;  // a graph to make (generated_graph.hpp)
  std::string names;  // line k names vertex k; empty: vertices have numbers
  layout dealt = layout::cyclic;  // how vertices are distributed over PEs
};

/// The descriptions of these options, followed by `others`.
std::vector<option_description> with_graph_options(std::vector<option_description> others);

/// Sets option `name` if it is one of these; returns false if not. Throws setup_error for a bad value.
bool parse_graph_option(graph_options& into, std::string_view name, const std::string& value);

/// The value of an option that is either on or off; `--option` alone is on.
bool parse_switch(std::string_view name, std::string_view value);

/// What a kernel takes at most, the graph included, on all PEs together.
struct memory_need {
  std::string kernel;  // its name
  double bytes_per_vertex = 0;
  double bytes_per_edge = 0;
};

/// Collective. The graph in file `--input`, or that of `--graph`: entry (i, j) is the edge from i to j. Each edge counts once, whatever its
/// value. Throws setup_error, also for a matrix that is not square, and for one for which the machines have too little memory:
/// before it reads or makes it, where that tells its size.
sparse_matrix read_graph(world& w, const graph_options& given, const memory_need& need);

/// Collective. The names of the vertices on PE 0; empty elsewhere, or without `--names`. Throws setup_error.
std::vector<std::string> read_names(world& w, const graph_options& given, const sparse_matrix& graph);

/// `text` as a quoted JSON string.
std::string json_string(std::string_view text);

/// Whether the graph is small enough for a serial reference on one PE: some seconds and some 100 MB.
inline bool fits_one_pe(std::int64_t n_vertices, std::int64_t n_edges) {
  return n_vertices <= 10'000'000 && n_edges <= 10'000'000;
}

/// Collective. All entries of the matrix on PE 0, in no particular order; empty elsewhere.
std::vector<entry> gather_on_first_pe(world& w, const sparse_matrix& m);

}  // namespace shoal::kernels
