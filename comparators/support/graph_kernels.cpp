#include "comparators/support/graph_kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "comparators/support/graph_file.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"

namespace comparators {
namespace {

// One process, whose threads count as PEs.
struct one_process {
  int n_threads;

  int rank() const { return 0; }
  int size() const { return n_threads; }
  void barrier() {}
  std::int64_t sum(std::int64_t mine) { return mine; }
};

struct input {
  std::unique_ptr<graph_kernel> kernel;
  std::int64_t n_entries;
};

input prepare(graph_library& library, const std::string& kernel, const sparse_rows& graph) {
  const auto with = [](std::unique_ptr<graph_kernel> made, const sparse_rows& of) {
    return input{std::move(made), static_cast<std::int64_t>(of.columns.size())};
  };
  if (kernel == "transpose") return with(library.transpose(graph), graph);
  if (kernel == "pagerank") {
    std::vector<std::int64_t> n_out;
    for (std::int64_t v = 0; v < graph.n_rows(); ++v) n_out.push_back(static_cast<std::int64_t>(graph.row(v).size()));
    return with(library.pagerank(transposed(graph), n_out), graph);
  }
  const sparse_rows both = undirected(graph);
  if (kernel == "triangle") {
    const sparse_rows below = below_diagonal(both);
    return with(library.triangle(below), below);
  }
  if (kernel == "bfs") return with(library.bfs(both, vertex_of_most(both)), both);
  if (kernel == "components") return with(library.components(both), both);
  std::fprintf(stderr, "%s is no kernel; there are transpose, triangle, pagerank, bfs and components\n",
               kernel.c_str());
  std::exit(2);
}

}  // namespace

int run_graph_kernels(int argc, char** argv, std::unique_ptr<graph_library> (*make)(int threads)) {
  const options given(argc, argv, {{"threads", 1, 1, 1024}}, {"KERNEL", "FILE"});
  const std::string& kernel = given.words()[0];
  const sparse_rows graph = read_graph(given.words()[1]);
  one_process all{static_cast<int>(given["threads"])};
  const std::unique_ptr<graph_library> library = make(all.n_threads);
  const input in = prepare(*library, kernel, graph);
  std::string answer;
  // Whether the answer is right, only a comparison with other programs tells; that it is always the same can be told here.
  const auto is_same = [&] {
    const std::string now = in.kernel->answer();
    const bool is_first = answer.empty();
    if (is_first) answer = now;
    return is_first || now == answer;
  };
  return measure(
      all, given["repeat"], {kernel, library->name(), library->name(), in.n_entries, [&] { return answer; }}, [] {},
      [&] { in.kernel->run(); }, is_same);
}

std::string answer_of_transpose(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& columns) {
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    for (std::int64_t i = offsets[r]; i < offsets[r + 1]; ++i) {
      sum += entry_sum(static_cast<std::int64_t>(r), columns[static_cast<std::size_t>(i)]);
    }
  }
  return "{\"entries\": " + std::to_string(columns.size()) + ", \"checksum\": " + std::to_string(sum) + "}";
}

std::string answer_of_triangle(std::int64_t n_triangles) {
  return "{\"triangles\": " + std::to_string(n_triangles) + "}";
}

std::string answer_of_pagerank(const std::vector<double>& ranks, int n_iterations) {
  // As many digits as do not depend on the order of additions.
  char text[100];
  std::snprintf(text, sizeof text, "{\"iterations\": %d, \"best\": %.10g}", n_iterations,
                *std::ranges::max_element(ranks));
  return text;
}

std::string answer_of_bfs(const std::vector<std::int32_t>& levels) {
  const auto n_reached = std::ranges::count_if(levels, [](std::int32_t level) { return level >= 0; });
  return "{\"reached\": " + std::to_string(n_reached) +
         ", \"eccentricity\": " + std::to_string(*std::ranges::max_element(levels)) + "}";
}

std::string answer_of_components(const std::vector<std::uint64_t>& labels) {
  std::size_t n = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) n += labels[v] == v;
  return "{\"components\": " + std::to_string(n) + "}";
}

}  // namespace comparators
