#include "kernels/graph_input.hpp"

#include <span>
#include <utility>

#include "kernels/generated_graph.hpp"
#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/graph/edge_list.hpp"
#include "shoal/graph/matrix_directory.hpp"
#include "shoal/graph/matrix_form.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "shoal/graph/memory.hpp"
#include "shoal/graph/names.hpp"

namespace shoal::kernels {
std::vector<option_description> with_graph_options(std::vector<option_description> others) {
  std::vector<option_description> all = {
      {"input", "none", "the graph: a MatrixMarket file or an edge list, .gz or not, or a directory of binary files"},
      {"first-vertex", "0", "0 or 1: the number of the first vertex in an edge list"},
      {"graph", "none", generated_graph_help},
      {"names", "none", "a file whose line k names vertex k, .gz or not; none for numbers"},
      {"distribution", "cyclic", "how vertices are distributed over the PEs: cyclic or block"}};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

bool parse_graph_option(graph_options& into, std::string_view name, const std::string& value) {
  if (name == "input") {
    into.input = value == "none" ? "" : value;
  } else if (name == "graph") {
    into.generated = value == "none" ? "" : value;
  } else if (name == "first-vertex") {
    into.first_vertex = static_cast<std::int64_t>(whole_number("--first-vertex", value, 0, 1));
  } else if (name == "names") {
    into.names = value == "none" ? "" : value;
  } else if (name == "distribution") {
    if (value != "cyclic" && value != "block") {
      throw setup_error("--distribution=" + value + " is neither cyclic nor block");
    }
    into.dealt = value == "cyclic" ? layout::cyclic : layout::block;
  } else {
    return false;
  }
  return true;
}

bool parse_switch(std::string_view name, std::string_view value) {
  if (value.empty() || value == "yes" || value == "on" || value == "true" || value == "1") return true;
  if (value == "no" || value == "off" || value == "false" || value == "0") return false;
  throw setup_error("--" + std::string(name) + "=" + std::string(value) + " is neither yes nor no");
}

namespace {

void check_memory(world& w, std::int64_t n_vertices, double n_edges, const memory_need& need) {
  const double bytes = need.bytes_per_vertex * static_cast<double>(n_vertices) + need.bytes_per_edge * n_edges;
  if (const auto shortage = find_memory_shortage(w, bytes / static_cast<double>(w.n_pes()))) {
    throw setup_error(need.kernel + " on a graph of " + std::to_string(n_vertices) + " vertices and " +
                      std::to_string(static_cast<std::int64_t>(n_edges)) + " edges " + describe(*shortage) +
                      "; choose a smaller graph, or use more machines");
  }
}

void check_graph(world& w, const std::string& file, const matrix_size& size, const memory_need& need) {
  if (size.n_rows != size.n_columns) {
    throw setup_error(file + " is a matrix of " + std::to_string(size.n_rows) + " x " + std::to_string(size.n_columns) +
                      ", which is no graph: it must be square, with a row and a column for each vertex");
  }
  if (size.n_rows > UINT32_MAX) {
    throw setup_error(file + " has " + std::to_string(size.n_rows) +
                      " vertices; messages have room for numbers up to 2^32 - 1");
  }
  check_memory(w, size.n_rows, static_cast<double>(size.n_entries), need);
}

// A matrix whose size is known once it is read; the reader itself sees to it that the matrix fits.
sparse_matrix checked(world& w, const std::string& file, sparse_matrix graph, const memory_need& need) {
  check_graph(w, file, {graph.n_rows(), graph.n_columns, n_entries(w, graph)}, need);
  return graph;
}

sparse_matrix read_file(world& w, const graph_options& given, const memory_need& need) {
  const std::string& file = given.input;
  const matrix_form form = find_matrix_form(w, file);
  if (given.first_vertex != 0 && form != matrix_form::edge_list) {
    throw setup_error("--first-vertex is for edge lists, which " + file + " is none; leave it out");
  }
  switch (form) {
    case matrix_form::matrix_market: break;
    case matrix_form::edge_list: {
      const edge_list_options how{.rows = given.dealt, .first_vertex = given.first_vertex, .with_values = false};
      return checked(w, file, read_edge_list(w, file, how), need);
    }
    case matrix_form::directory: {
      sparse_matrix graph = read_matrix_directory(w, file, {.rows = given.dealt, .with_values = false});
      sum_duplicates(graph);
      return checked(w, file, std::move(graph), need);
    }
  }
  const matrix_market_options how{.rows = given.dealt, .with_values = false};
  check_graph(w, file, read_matrix_market_size(w, file, how), need);
  return read_matrix_market(w, file, how);
}

}  // namespace

sparse_matrix read_graph(world& w, const graph_options& given, const memory_need& need) {
  if (given.input.empty() == given.generated.empty()) {
    throw setup_error(given.input.empty() ? "a graph is missing: --input=FILE names a file, such as "
                                            "data/debian-depends.mtx.gz; --graph=rmat:scale=16 makes one"
                                          : "--input and --graph both name a graph; give one of them");
  }
  if (!given.generated.empty()) {
    generated_graph made = parse_generated_graph(given.generated, w.n_pes());
    made.how.rows = given.dealt;
    check_memory(w, made.n_vertices, made.n_edges, need);
    return generate(w, made);
  }
  return read_file(w, given, need);
}

std::vector<std::string> read_names(world& w, const graph_options& given, const sparse_matrix& graph) {
  if (given.names.empty()) return {};
  return shoal::read_names(w, given.names, graph.n_rows());
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      constexpr char digits[] = "0123456789abcdef";
      quoted += "\\u00";
      quoted += digits[c / 16];
      quoted += digits[c % 16];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::vector<entry> gather_on_first_pe(world& w, const sparse_matrix& m) {
  std::vector<entry> gathered;
  actor keep{w, [&](std::span<const entry> batch) { gathered.insert(gathered.end(), batch.begin(), batch.end()); }};
  w.finish([&] {
    for (std::int64_t i = 0; i < m.n_local_rows(); ++i) {
      const std::int64_t row = m.global_row(i);
      for (const std::int64_t column : m.row(i)) keep.send(0, entry{row, column});
    }
  });
  return gathered;
}

}  // namespace shoal::kernels
