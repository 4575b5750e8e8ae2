// Graph kernels on SuiteSparse:GraphBLAS, by its C interface. Matrices are patterns.
extern "C" {
#include <GraphBLAS.h>
}

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "comparators/support/graph_file.hpp"
#include "comparators/support/graph_kernels.hpp"

namespace comparators {
namespace {

void require(GrB_Info info) {
  if (info == GrB_SUCCESS || info == GrB_NO_VALUE) return;
  std::fprintf(stderr, "GraphBLAS: a call ended with %d\n", static_cast<int>(info));
  std::exit(1);
}

// An object of the library, freed in the end.
template <class Handle, GrB_Info (*Free)(Handle*)>
class owner {
public:
  owner() = default;
  ~owner() { Free(&handle_); }
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;

  operator Handle() const { return handle_; }
  Handle* operator&() { return &handle_; }

private:
  Handle handle_ = nullptr;
};
using matrix = owner<GrB_Matrix, GrB_Matrix_free>;
using vector = owner<GrB_Vector, GrB_Vector_free>;

void load(matrix& into, const sparse_rows& from) {
  const auto n = static_cast<GrB_Index>(from.n_rows());
  std::vector<GrB_Index> rows;
  for (std::int64_t r = 0; r < from.n_rows(); ++r)
    rows.insert(rows.end(), from.row(r).size(), static_cast<GrB_Index>(r));
  const std::vector<GrB_Index> columns(from.columns.begin(), from.columns.end());
  bool value = true;
  GxB_Scalar all = nullptr;
  require(GxB_Scalar_new(&all, GrB_BOOL));
  require(GxB_Scalar_setElement_BOOL(all, value));
  require(GrB_Matrix_new(&into, GrB_BOOL, n, n));
  // The library refuses the address of nothing.
  if (!rows.empty()) require(GxB_Matrix_build_Scalar(into, rows.data(), columns.data(), all, rows.size()));
  require(GrB_Matrix_wait(into, GrB_MATERIALIZE));
  GxB_Scalar_free(&all);
}

GrB_Index size_of(GrB_Matrix m) {
  GrB_Index n = 0;
  require(GrB_Matrix_nrows(&n, m));
  return n;
}

class transpose_kernel final : public graph_kernel {
public:
  explicit transpose_kernel(const sparse_rows& graph) {
    load(graph_, graph);
    require(GrB_Matrix_new(&transposed_, GrB_BOOL, size_of(graph_), size_of(graph_)));
  }

  void run() override {
    // lines: begin
    require(GrB_transpose(transposed_, nullptr, nullptr, graph_, nullptr));
    require(GrB_Matrix_wait(transposed_, GrB_MATERIALIZE));
    // lines: end
  }

  std::string answer() override {
    GrB_Index n_entries = 0;
    require(GrB_Matrix_nvals(&n_entries, transposed_));
    std::vector<GrB_Index> rows(n_entries);
    std::vector<GrB_Index> columns(n_entries);
    require(GrB_Matrix_extractTuples_BOOL(rows.data(), columns.data(), nullptr, &n_entries, transposed_));
    std::vector<std::int64_t> offsets(size_of(transposed_) + 1, 0);
    for (const GrB_Index r : rows) ++offsets[r + 1];
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) offsets[r + 1] += offsets[r];
    std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
    std::vector<std::int64_t> by_row(n_entries);
    for (std::size_t i = 0; i < n_entries; ++i) {
      by_row[static_cast<std::size_t>(next[rows[i]]++)] = static_cast<std::int64_t>(columns[i]);
    }
    return answer_of_transpose(offsets, by_row);
  }

private:
  matrix graph_;
  matrix transposed_;
};

// For each entry of the lower triangle L, the number of columns that its row and its column's row have in common. Vertices are
// numbered by degree before the time is taken, as LAGraph does it for graphs of uneven degrees: L * L then does half as
// much with R-MAT. L * U' by inner products, which LAGraph takes by default, took 2 to 4 times as long with this version.
class triangle_kernel final : public graph_kernel {
public:
  explicit triangle_kernel(const sparse_rows& below) { load(below_, below_diagonal_by_degree(below)); }

  void run() override {
    // lines: begin
    const GrB_Index n = size_of(below_);
    matrix common;
    require(GrB_Matrix_new(&common, GrB_INT64, n, n));
    require(GrB_mxm(common, below_, nullptr, GxB_PLUS_PAIR_INT64, below_, below_, GrB_DESC_S));
    require(GrB_Matrix_reduce_INT64(&n_triangles_, nullptr, GrB_PLUS_MONOID_INT64, common, nullptr));
    // lines: end
  }

  std::string answer() override { return answer_of_triangle(n_triangles_); }

private:
  matrix below_;
  std::int64_t n_triangles_ = 0;
};

class pagerank_kernel final : public graph_kernel {
public:
  pagerank_kernel(const sparse_rows& incoming, const std::vector<std::int64_t>& n_out) {
    load(incoming_, incoming);
    const GrB_Index n = size_of(incoming_);
    require(GrB_Vector_new(&n_out_, GrB_FP64, n));
    require(GrB_Vector_new(&is_dangling_, GrB_BOOL, n));
    for (GrB_Index v = 0; v < n; ++v) {
      if (n_out[v] == 0) {
        require(GrB_Vector_setElement_BOOL(is_dangling_, true, v));
      } else {
        require(GrB_Vector_setElement_FP64(n_out_, static_cast<double>(n_out[v]), v));
      }
    }
    require(GrB_Vector_wait(n_out_, GrB_MATERIALIZE));
    require(GrB_Vector_wait(is_dangling_, GrB_MATERIALIZE));
    require(GrB_Vector_new(&ranks_, GrB_FP64, n));
  }

  void run() override {
    // lines: begin
    const GrB_Index n = size_of(incoming_);
    const auto all = static_cast<double>(n);
    const double d = pagerank_rule::damping;
    vector shares;
    vector next;
    vector difference;
    require(GrB_Vector_new(&shares, GrB_FP64, n));
    require(GrB_Vector_new(&next, GrB_FP64, n));
    require(GrB_Vector_new(&difference, GrB_FP64, n));
    require(GrB_Vector_assign_FP64(ranks_, nullptr, nullptr, 1 / all, GrB_ALL, n, nullptr));
    double change = all;
    for (n_iterations_ = 0;
         change >= all * pagerank_rule::tolerance && n_iterations_ < pagerank_rule::n_iterations_most;
         ++n_iterations_) {
      double dangling = 0;
      require(GrB_Vector_assign(difference, is_dangling_, nullptr, ranks_, GrB_ALL, n, GrB_DESC_RS));
      require(GrB_Vector_reduce_FP64(&dangling, nullptr, GrB_PLUS_MONOID_FP64, difference, nullptr));
      require(GrB_Vector_eWiseMult_BinaryOp(shares, nullptr, nullptr, GrB_DIV_FP64, ranks_, n_out_, GrB_DESC_R));
      require(GrB_Vector_apply_BinaryOp2nd_FP64(shares, nullptr, nullptr, GrB_TIMES_FP64, shares, d, nullptr));
      require(GrB_Vector_assign_FP64(next, nullptr, nullptr, (1 - d + d * dangling) / all, GrB_ALL, n, nullptr));
      require(GrB_mxv(next, nullptr, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, incoming_, shares, nullptr));
      require(GrB_Vector_eWiseAdd_BinaryOp(difference, nullptr, nullptr, GrB_MINUS_FP64, next, ranks_, GrB_DESC_R));
      require(GrB_Vector_apply(difference, nullptr, nullptr, GrB_ABS_FP64, difference, nullptr));
      require(GrB_Vector_reduce_FP64(&change, nullptr, GrB_PLUS_MONOID_FP64, difference, nullptr));
      std::swap(*&next, *&ranks_);
    }
    // lines: end
  }

  std::string answer() override {
    std::vector<double> ranks(size_of(incoming_));
    GrB_Index n = ranks.size();
    require(GrB_Vector_extractTuples_FP64(nullptr, ranks.data(), &n, ranks_));
    return answer_of_pagerank(ranks, n_iterations_);
  }

private:
  matrix incoming_;
  vector n_out_;
  vector is_dangling_;
  vector ranks_;
  int n_iterations_ = 0;
};

// From the newest vertices along their edges, or, if they are many, from the others to a newest one.
class bfs_kernel final : public graph_kernel {
public:
  bfs_kernel(const sparse_rows& both, std::int64_t root) : root_(static_cast<GrB_Index>(root)) { load(both_, both); }

  void run() override {
    // lines: begin
    const GrB_Index n = size_of(both_);
    vector newest;
    require(GrB_Vector_new(&newest, GrB_BOOL, n));
    require(GrB_Vector_setElement_BOOL(newest, true, root_));
    GrB_Vector_free(&levels_);
    require(GrB_Vector_new(&levels_, GrB_INT32, n));
    GrB_Index n_newest = 1;
    for (std::int32_t level = 0; n_newest > 0; ++level) {
      require(GrB_Vector_assign_INT32(levels_, newest, nullptr, level, GrB_ALL, n, GrB_DESC_S));
      if (n_newest < n / 16) {
        require(GrB_vxm(newest, levels_, nullptr, GxB_ANY_PAIR_BOOL, newest, both_, GrB_DESC_RSC));
      } else {
        require(GrB_mxv(newest, levels_, nullptr, GxB_ANY_PAIR_BOOL, both_, newest, GrB_DESC_RSC));
      }
      require(GrB_Vector_nvals(&n_newest, newest));
    }
    // lines: end
  }

  std::string answer() override {
    GrB_Index n_reached = 0;
    require(GrB_Vector_nvals(&n_reached, levels_));
    std::vector<GrB_Index> vertices(n_reached);
    std::vector<std::int32_t> of_reached(n_reached);
    require(GrB_Vector_extractTuples_INT32(vertices.data(), of_reached.data(), &n_reached, levels_));
    std::vector<std::int32_t> levels(size_of(both_), -1);
    for (std::size_t i = 0; i < vertices.size(); ++i) levels[vertices[i]] = of_reached[i];
    return answer_of_bfs(levels);
  }

private:
  matrix both_;
  GrB_Index root_;
  vector levels_;
};

// FastSV (Zhang, Azad and Buluc, "Parallel algorithms for finding connected components using linear algebra", JPDC 2020).
// The one step that no operation of GraphBLAS does, a minimum at places that repeat, is a loop.
class components_kernel final : public graph_kernel {
public:
  explicit components_kernel(const sparse_rows& both) { load(both_, both); }

  void run() override {
    // lines: begin
    const GrB_Index n = size_of(both_);
    std::vector<GrB_Index> all(n);
    for (GrB_Index v = 0; v < n; ++v) all[v] = v;
    labels_ = all;
    std::vector<std::uint64_t> grandparents = labels_;
    std::vector<std::uint64_t> lowest(n);
    vector of_vertices;
    vector of_neighbours;
    require(GrB_Vector_new(&of_vertices, GrB_UINT64, n));
    require(GrB_Vector_new(&of_neighbours, GrB_UINT64, n));
    for (bool changes = true; changes;) {
      require(GrB_Vector_clear(of_vertices));
      require(GrB_Vector_build_UINT64(of_vertices, all.data(), grandparents.data(), n, GrB_FIRST_UINT64));
      require(GrB_Vector_assign(of_neighbours, nullptr, nullptr, of_vertices, GrB_ALL, n, nullptr));
      require(
          GrB_mxv(of_neighbours, nullptr, GrB_MIN_UINT64, GrB_MIN_SECOND_SEMIRING_UINT64, both_, of_vertices, nullptr));
      GrB_Index n_lowest = n;
      require(GrB_Vector_extractTuples_UINT64(nullptr, lowest.data(), &n_lowest, of_neighbours));
#pragma omp parallel for
      for (std::size_t v = 0; v < n; ++v) {
        lower(std::atomic_ref(labels_[v]).load(std::memory_order_relaxed), lowest[v]);
        lower(v, std::min(lowest[v], grandparents[v]));
      }
      changes = false;
#pragma omp parallel for reduction(|| : changes)
      for (std::size_t v = 0; v < n; ++v) {
        const std::uint64_t now = labels_[labels_[v]];
        changes = changes || now != grandparents[v];
        grandparents[v] = now;
      }
    }
    // lines: end
  }

  std::string answer() override { return answer_of_components(labels_); }

private:
  void lower(std::uint64_t vertex, std::uint64_t label) {
    std::atomic_ref its(labels_[vertex]);
    std::uint64_t old = its.load(std::memory_order_relaxed);
    while (label < old && !its.compare_exchange_weak(old, label, std::memory_order_relaxed)) {
    }
  }

  matrix both_;
  std::vector<std::uint64_t> labels_;
};

class graphblas final : public graph_library {
public:
  explicit graphblas(int threads) {
    require(GrB_init(GrB_NONBLOCKING));
    require(GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, threads));
  }
  ~graphblas() override { GrB_finalize(); }

  std::string name() const override { return "GraphBLAS"; }
  std::unique_ptr<graph_kernel> transpose(const sparse_rows& graph) override {
    return std::make_unique<transpose_kernel>(graph);
  }
  std::unique_ptr<graph_kernel> triangle(const sparse_rows& below) override {
    return std::make_unique<triangle_kernel>(below);
  }
  std::unique_ptr<graph_kernel> pagerank(const sparse_rows& incoming, const std::vector<std::int64_t>& n_out) override {
    return std::make_unique<pagerank_kernel>(incoming, n_out);
  }
  std::unique_ptr<graph_kernel> bfs(const sparse_rows& both, std::int64_t root) override {
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
      argc, argv, [](int threads) -> std::unique_ptr<graph_library> { return std::make_unique<graphblas>(threads); });
}
