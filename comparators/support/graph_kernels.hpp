/// What the programs of graph kernels in one process share: input, choice of the kernel, times, answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comparators/support/matrix.hpp"

namespace comparators {

/// The rule of Shoal's PageRank: vertices without edges count as linked to every vertex; ends when the ranks change by less
/// than `tolerance` a vertex.
struct pagerank_rule {
  static constexpr double damping = 0.85;
  static constexpr double tolerance = 1e-12;
  static constexpr int n_iterations_most = 1000;
};

/// What a library must do. Each function prepares its matrices before it returns what is timed; `answer` is JSON.
class graph_kernel {
public:
  virtual ~graph_kernel() = default;
  virtual void run() = 0;
  virtual std::string answer() = 0;
};

/// What a program has for each kernel.
class graph_library {
public:
  virtual ~graph_library() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<graph_kernel> transpose(const sparse_rows& graph) = 0;
  virtual std::unique_ptr<graph_kernel> triangle(const sparse_rows& below) = 0;
  virtual std::unique_ptr<graph_kernel> pagerank(const sparse_rows& incoming,
                                                 const std::vector<std::int64_t>& n_out) = 0;
  virtual std::unique_ptr<graph_kernel> bfs(const sparse_rows& both, std::int64_t root) = 0;
  virtual std::unique_ptr<graph_kernel> components(const sparse_rows& both) = 0;
};

/// The main program: `PROGRAM KERNEL FILE [--threads=N]`. `make(threads)` starts the library.
int run_graph_kernels(int argc, char** argv, std::unique_ptr<graph_library> (*make)(int threads));

// --- Answers.

std::string answer_of_transpose(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& columns);
std::string answer_of_triangle(std::int64_t n_triangles);
std::string answer_of_pagerank(const std::vector<double>& ranks, int n_iterations);
/// Levels below 0 are those of vertices that were not reached.
std::string answer_of_bfs(const std::vector<std::int32_t>& levels);
/// `label[v]` is the same for all vertices of a component, and one of them.
std::string answer_of_components(const std::vector<std::uint64_t>& labels);

}  // namespace comparators
