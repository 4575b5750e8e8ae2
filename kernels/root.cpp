#include "kernels/root.hpp"

#include <algorithm>
#include <vector>

#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels {
namespace {

// The vertex with most edges; of several, the one with the lowest number.
std::int64_t vertex_with_most_edges(world& w, const sparse_matrix& graph) {
  const std::vector<std::int64_t> degrees = row_degrees(graph);
  const std::int64_t most = w.max(degrees.empty() ? 0 : std::ranges::max(degrees));
  const auto first = std::ranges::find(degrees, most);
  return w.min(first == degrees.end() ? graph.n_rows() : graph.global_row(first - degrees.begin()));
}

}  // namespace

void require_root(const std::string& root) {
  if (root.empty()) throw setup_error("--root is empty; give the number of a vertex, from 1, its name, or most");
}

std::int64_t find_root(world& w, const std::string& root, const graph_options& given, const sparse_matrix& graph) {
  if (root == "most") return vertex_with_most_edges(w, graph);
  const bool is_number = root.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) return parse_integer(root, "--root", 1, graph.n_rows()) - 1;
  if (given.names.empty()) {
    throw setup_error("--root=" + root + " is a name, and there are none; give --names, or a number from 1");
  }
  const std::vector<std::string> names = read_names(w, given, graph);
  const auto found = std::ranges::find(names, root);
  const std::int64_t vertex = w.broadcast(found == names.end() ? -1 : found - names.begin());
  if (vertex == -1) throw setup_error("--root=" + root + " is no name in " + given.names);
  return vertex;
}

}  // namespace shoal::kernels
