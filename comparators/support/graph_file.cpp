#include "comparators/support/graph_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <utility>

namespace comparators {
namespace {

[[noreturn]] void refuse(const std::string& file, const char* what) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), what);
  std::exit(2);
}

double machine_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The graph, what a kernel makes of it and its answer have 8 bytes for each vertex. An entry is a pair, and a column of two
// graphs.
double bytes_at_least(std::int64_t n_vertices, std::int64_t n_entries) {
  return 24 * static_cast<double>(n_vertices) + 32 * static_cast<double>(n_entries);
}

sparse_rows rows_of(std::int64_t n, std::vector<std::pair<std::int64_t, std::int64_t>> entries) {
  std::ranges::sort(entries);
  const auto again = std::ranges::unique(entries);
  entries.erase(again.begin(), again.end());
  sparse_rows made;
  for (const auto& [row, column] : entries) {
    while (made.n_rows() < row) made.end_row();
    made.columns.push_back(column);
  }
  while (made.n_rows() < n) made.end_row();
  return made;
}

template <class Use>
void for_each_entry(const sparse_rows& graph, Use use) {
  for (std::int64_t r = 0; r < graph.n_rows(); ++r) {
    for (const std::int64_t c : graph.row(r)) use(r, c);
  }
}

}  // namespace

sparse_rows read_graph(const std::string& file) {
  if (std::filesystem::is_directory(file)) refuse(file, "is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const bool is_coordinates = text.starts_with("%%MatrixMarket matrix coordinate pattern general\n");
  if (!is_coordinates) refuse(file, "is no MatrixMarket file of a general pattern in coordinate form");
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end && (*at == '%' || *at == '\n')) at = *at == '%' ? std::find(at, end, '\n') : at + 1;
  const auto next = [&] {
    while (at < end && (*at == ' ' || *at == '\n')) ++at;
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) refuse(file, "ends too early, or has something else than numbers");
    at = after;
    return number;
  };
  const std::int64_t n = next();
  if (next() != n) refuse(file, "is not square");
  if (n < 1 || n > std::int64_t{UINT32_MAX}) refuse(file, "does not have 1 to 4294967295 vertices");
  const std::int64_t n_entries = next();
  if (n_entries < 0 || n_entries > end - at) refuse(file, "ends too early, or has something else than numbers");
  if (bytes_at_least(n, n_entries) > machine_bytes()) refuse(file, "needs more memory than this machine has");
  std::vector<std::pair<std::int64_t, std::int64_t>> entries(static_cast<std::size_t>(n_entries));
  for (auto& [row, column] : entries) {
    row = next() - 1;
    column = next() - 1;
    if (std::min(row, column) < 0 || std::max(row, column) >= n) refuse(file, "has an entry outside the matrix");
  }
  if (std::any_of(at, end, [](char c) { return c != ' ' && c != '\n'; })) refuse(file, "has more than its entries");
  return rows_of(n, std::move(entries));
}

sparse_rows undirected(const sparse_rows& graph) {
  std::vector<std::pair<std::int64_t, std::int64_t>> entries;
  for_each_entry(graph, [&](std::int64_t r, std::int64_t c) {
    if (r == c) return;
    entries.emplace_back(r, c);
    entries.emplace_back(c, r);
  });
  return rows_of(graph.n_rows(), std::move(entries));
}

sparse_rows transposed(const sparse_rows& graph) {
  std::vector<std::pair<std::int64_t, std::int64_t>> entries;
  for_each_entry(graph, [&](std::int64_t r, std::int64_t c) { entries.emplace_back(c, r); });
  return rows_of(graph.n_rows(), std::move(entries));
}

sparse_rows below_diagonal(const sparse_rows& graph) {
  sparse_rows below;
  for (std::int64_t r = 0; r < graph.n_rows(); ++r) {
    for (const std::int64_t c : graph.row(r)) {
      if (c < r) below.columns.push_back(c);
    }
    below.end_row();
  }
  return below;
}

sparse_rows below_diagonal_by_degree(const sparse_rows& below) {
  const auto n = static_cast<std::size_t>(below.n_rows());
  std::vector<std::int64_t> degrees(n, 0);
  for_each_entry(below, [&](std::int64_t r, std::int64_t c) {
    ++degrees[static_cast<std::size_t>(r)];
    ++degrees[static_cast<std::size_t>(c)];
  });
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return degrees[a] > degrees[b]; });
  std::vector<std::int64_t> number_of(n);
  for (std::size_t i = 0; i < n; ++i) number_of[order[i]] = static_cast<std::int64_t>(i);
  std::vector<std::pair<std::int64_t, std::int64_t>> entries;
  for_each_entry(below, [&](std::int64_t r, std::int64_t c) {
    const auto [low, high] =
        std::minmax(number_of[static_cast<std::size_t>(r)], number_of[static_cast<std::size_t>(c)]);
    entries.emplace_back(high, low);
  });
  return rows_of(below.n_rows(), std::move(entries));
}

std::int64_t vertex_of_most(const sparse_rows& graph) {
  std::int64_t most = 0;
  for (std::int64_t r = 1; r < graph.n_rows(); ++r) {
    if (graph.row(r).size() > graph.row(most).size()) most = r;
  }
  return most;
}

}  // namespace comparators
