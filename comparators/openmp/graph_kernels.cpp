// Graph kernels on OpenMP, plainly: loops over vertices, atomics where two threads may write the same word.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "comparators/support/graph_kernels.hpp"

namespace comparators {
namespace {

using index = std::int64_t;

std::size_t at(index i) { return static_cast<std::size_t>(i); }

// Each thread counts the entries of its rows by column, and so knows the places of its own without atomics.
class transpose_kernel final : public graph_kernel {
public:
  explicit transpose_kernel(const sparse_rows& graph) : graph_(graph) {}

  void run() override {
    // lines: begin
    const index n = graph_.n_rows();
    offsets_.resize(at(n) + 1);
    columns_.resize(graph_.columns.size());
    std::vector<std::vector<index>> next(at(omp_get_max_threads()));  // of each thread and new row
#pragma omp parallel
    {
      std::vector<index>& mine = next[at(omp_get_thread_num())];
      const index begin = first_row(omp_get_thread_num());
      const index end = first_row(omp_get_thread_num() + 1);
      mine.assign(at(n), 0);
      for (index r = begin; r < end; ++r) {
        for (const index c : graph_.row(r)) ++mine[at(c)];
      }
#pragma omp barrier
#pragma omp single
      {
        index place = 0;
        for (index c = 0; c < n; ++c) {
          offsets_[at(c)] = place;
          for (std::vector<index>& its : next) {
            if (!its.empty()) place += std::exchange(its[at(c)], place);
          }
        }
        offsets_[at(n)] = place;
      }
      for (index r = begin; r < end; ++r) {
        for (const index c : graph_.row(r)) columns_[at(mine[at(c)]++)] = r;
      }
    }
    // lines: end
  }

  std::string answer() override { return answer_of_transpose(offsets_, columns_); }

private:
  // Of a thread's rows, so that all threads have about as many entries.
  index first_row(int thread) const {
    const auto share = static_cast<double>(graph_.columns.size()) * thread / omp_get_num_threads();
    return std::ranges::lower_bound(graph_.offsets, static_cast<index>(share)) - graph_.offsets.begin();
  }

  sparse_rows graph_;
  std::vector<index> offsets_;
  std::vector<index> columns_;
};

// Whether an ascending row has a vertex. Without a branch, which would be mispredicted.
bool has(std::span<const index> row, index vertex) {
  const index* first = row.data();
  for (std::size_t n = row.size(); n > 1; n -= n / 2) first = first[n / 2] <= vertex ? first + n / 2 : first;
  return *first == vertex;
}

// For each row of the lower triangle, which of the vertices in its neighbours' rows are marked as its own. A row that is much
// longer is searched instead.
class triangle_kernel final : public graph_kernel {
public:
  explicit triangle_kernel(const sparse_rows& below) : below_(below) {}

  void run() override {
    // lines: begin
    n_triangles_ = 0;
    const index n = below_.n_rows();
#pragma omp parallel reduction(+ : n_triangles_)
    {
      std::vector<char> is_marked(at(n), 0);
#pragma omp for schedule(dynamic, 64)
      for (index r = 0; r < n; ++r) {
        const std::span<const index> mine = below_.row(r);
        for (const index c : mine) is_marked[at(c)] = 1;
        for (const index c : mine) {
          const std::span<const index> its = below_.row(c);
          if (its.size() <= 16 * mine.size()) {
            for (const index d : its) n_triangles_ += is_marked[at(d)];
          } else {
            for (const index d : mine) n_triangles_ += has(its, d);
          }
        }
        for (const index c : mine) is_marked[at(c)] = 0;
      }
    }
    // lines: end
  }

  std::string answer() override { return answer_of_triangle(n_triangles_); }

private:
  sparse_rows below_;
  index n_triangles_ = 0;
};

class pagerank_kernel final : public graph_kernel {
public:
  pagerank_kernel(const sparse_rows& incoming, const std::vector<index>& n_out) : incoming_(incoming), n_out_(n_out) {}

  void run() override {
    // lines: begin
    const index n = incoming_.n_rows();
    const auto all = static_cast<double>(n);
    const double d = pagerank_rule::damping;
    ranks_.assign(at(n), 1 / all);
    std::vector<double> shares(at(n));
    double change = all;
    for (n_iterations_ = 0;
         change >= all * pagerank_rule::tolerance && n_iterations_ < pagerank_rule::n_iterations_most;
         ++n_iterations_) {
      double dangling = 0;
#pragma omp parallel for reduction(+ : dangling)
      for (index v = 0; v < n; ++v) {
        if (n_out_[at(v)] == 0) dangling += ranks_[at(v)];
        shares[at(v)] = n_out_[at(v)] == 0 ? 0 : ranks_[at(v)] / static_cast<double>(n_out_[at(v)]);
      }
      const double jumped = (1 - d + d * dangling) / all;
      change = 0;
#pragma omp parallel for reduction(+ : change) schedule(dynamic, 1024)
      for (index v = 0; v < n; ++v) {
        double sum = 0;
        for (const index u : incoming_.row(v)) sum += shares[at(u)];
        const double rank = jumped + d * sum;
        change += std::abs(rank - ranks_[at(v)]);
        ranks_[at(v)] = rank;
      }
    }
    // lines: end
  }

  std::string answer() override { return answer_of_pagerank(ranks_, n_iterations_); }

private:
  sparse_rows incoming_;
  std::vector<index> n_out_;
  std::vector<double> ranks_;
  int n_iterations_ = 0;
};

class bfs_kernel final : public graph_kernel {
public:
  bfs_kernel(const sparse_rows& both, index root) : both_(both), root_(root) {}

  void run() override {
    // lines: begin
    levels_.assign(at(both_.n_rows()), -1);
    levels_[at(root_)] = 0;
    std::vector<index> newest = {root_};
    for (std::int32_t level = 1; !newest.empty(); ++level) {
      std::vector<index> next;
#pragma omp parallel
      {
        std::vector<index> mine;
#pragma omp for schedule(dynamic, 64) nowait
        for (std::size_t i = 0; i < newest.size(); ++i) {
          for (const index v : both_.row(newest[i])) {
            std::atomic_ref its(levels_[at(v)]);
            std::int32_t none = -1;
            if (its.load(std::memory_order_relaxed) == -1 &&
                its.compare_exchange_strong(none, level, std::memory_order_relaxed)) {
              mine.push_back(v);
            }
          }
        }
#pragma omp critical
        next.insert(next.end(), mine.begin(), mine.end());
      }
      newest = std::move(next);
    }
    // lines: end
  }

  std::string answer() override { return answer_of_bfs(levels_); }

private:
  sparse_rows both_;
  index root_;
  std::vector<std::int32_t> levels_;
};

// Union and find without locks: a root is linked to a lower vertex by compare-and-swap.
class components_kernel final : public graph_kernel {
public:
  explicit components_kernel(const sparse_rows& both) : both_(both) {}

  void run() override {
    // lines: begin
    const index n = both_.n_rows();
    labels_.resize(at(n));
#pragma omp parallel for
    for (index v = 0; v < n; ++v) labels_[at(v)] = static_cast<std::uint64_t>(v);
#pragma omp parallel for schedule(dynamic, 1024)
    for (index v = 0; v < n; ++v) {
      for (const index u : both_.row(v)) {
        if (u < v) join(static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v));
      }
    }
#pragma omp parallel for
    for (index v = 0; v < n; ++v) {
      std::atomic_ref(labels_[at(v)]).store(root_of(static_cast<std::uint64_t>(v)), std::memory_order_relaxed);
    }
    // lines: end
  }

  std::string answer() override { return answer_of_components(labels_); }

private:
  std::uint64_t parent_of(std::uint64_t v) { return std::atomic_ref(labels_[v]).load(std::memory_order_relaxed); }

  std::uint64_t root_of(std::uint64_t v) {
    for (;;) {
      const std::uint64_t parent = parent_of(v);
      const std::uint64_t grandparent = parent_of(parent);
      if (parent == grandparent) return parent;
      std::uint64_t expected = parent;
      std::atomic_ref(labels_[v]).compare_exchange_weak(expected, grandparent, std::memory_order_relaxed);
      v = grandparent;
    }
  }

  void join(std::uint64_t a, std::uint64_t b) {
    for (;;) {
      a = root_of(a);
      b = root_of(b);
      if (a == b) return;
      std::uint64_t higher = std::max(a, b);
      if (std::atomic_ref(labels_[higher]).compare_exchange_strong(higher, std::min(a, b), std::memory_order_relaxed)) {
        return;
      }
    }
  }

  sparse_rows both_;
  std::vector<std::uint64_t> labels_;
};

class openmp final : public graph_library {
public:
  explicit openmp(int threads) { omp_set_num_threads(threads); }

  std::string name() const override { return "OpenMP"; }
  std::unique_ptr<graph_kernel> transpose(const sparse_rows& graph) override {
    return std::make_unique<transpose_kernel>(graph);
  }
  std::unique_ptr<graph_kernel> triangle(const sparse_rows& below) override {
    return std::make_unique<triangle_kernel>(below);
  }
  std::unique_ptr<graph_kernel> pagerank(const sparse_rows& incoming, const std::vector<index>& n_out) override {
    return std::make_unique<pagerank_kernel>(incoming, n_out);
  }
  std::unique_ptr<graph_kernel> bfs(const sparse_rows& both, index root) override {
    return std::make_unique<bfs_kernel>(both, root);
  }
  std::unique_ptr<graph_kernel> components(const sparse_rows& both) override {
    return std::make_unique<components_kernel>(both);
  }
};

}  // namespace
}  // namespace comparators

int main(int argc, char** argv) {
  using namespace comparators;
  return run_graph_kernels(
      argc, argv, [](int threads) -> std::unique_ptr<graph_library> { return std::make_unique<openmp>(threads); });
}
