/* Graphs that the kernels of this folder run on, what they print, and a serial reference: the whole graph, read by each
   PE with remote gets. */
#ifndef SHOAL_TEST_COMPAT_GRAPHS_H
#define SHOAL_TEST_COMPAT_GRAPHS_H

#include <unistd.h>

#include <vector>

#include <spmat.h>

/* Options of all kernels. */
struct options {
  int64_t n = 30; /* rows per PE */
  double nz_per_row = 10;
  int64_t seed = 12345;
  bool is_verbose = false; /* times on stderr */

  options(int argc, char* argv[]) {
    optind = 1;
    for (int c = getopt(argc, argv, "n:Z:s:v"); c != -1; c = getopt(argc, argv, "n:Z:s:v")) {
      if (c == 'n') n = atol(optarg);
      if (c == 'Z') nz_per_row = atof(optarg);
      if (c == 's') seed = atol(optarg);
      if (c == 'v') is_verbose = true;
    }
  }
  /* Not a multiple of the number of PEs. */
  int64_t n_rows() const { return n * THREADS + THREADS / 2; }
  double edge_prob() const {
    const double p = 2 * (nz_per_row - 1) / static_cast<double>(n_rows());
    return p < 1 ? p : 1;
  }
};

/* Collective. */
inline void print_time(const options& its, const char* kernel, double begin) {
  minavgmaxD_t stat[1];
  lgp_min_avg_max_d(stat, wall_seconds() - begin, THREADS);
  if (its.is_verbose) T0_fprintf(stderr, "%s: %8.3lf seconds\n", kernel, stat->avg);
}

inline void free_matrix(sparsemat_t* a) {
  clear_matrix(a);
  free(a);
}

/* The whole of a graph whose strictly lower half this is, with sorted rows. Collective. */
inline sparsemat_t* both_halves(sparsemat_t* lower) {
  sparsemat_t* upper = transpose_matrix(lower);
  sparsemat_t* a = init_matrix(lower->numrows, lower->numrows, lower->lnnz + upper->lnnz, 0);
  int64_t k = 0;
  a->loffset[0] = 0;
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    for (int64_t j = lower->loffset[i]; j < lower->loffset[i + 1]; ++j) a->lnonzero[k++] = lower->lnonzero[j];
    for (int64_t j = upper->loffset[i]; j < upper->loffset[i + 1]; ++j) a->lnonzero[k++] = upper->lnonzero[j];
    a->loffset[i + 1] = k;
  }
  free_matrix(upper);
  lgp_barrier();
  return a;
}

/* Whether a sorted part of a row holds a column. */
inline bool holds(const int64_t* first, const int64_t* last, int64_t col) {
  while (first != last && *first < col) ++first;
  return first != last && *first == col;
}

/* All neighbours of all vertices. */
class adjacency {
  int64_t n_;
  std::vector<char> is_edge_;
  std::vector<int64_t> degree_;

public:
  explicit adjacency(sparsemat_t* lower)
      : n_(lower->numrows), is_edge_(static_cast<size_t>(n_ * n_)), degree_(static_cast<size_t>(n_)) {
    for (int64_t row = 0; row < n_; ++row) {
      const int64_t end = lgp_get_int64(lower->offset, row + THREADS);
      for (int64_t k = lgp_get_int64(lower->offset, row); k < end; ++k) {
        const int64_t col = lgp_get_int64(lower->nonzero, k * THREADS + row % THREADS);
        is_edge_[static_cast<size_t>(row * n_ + col)] = is_edge_[static_cast<size_t>(col * n_ + row)] = 1;
        ++degree_[static_cast<size_t>(row)];
        ++degree_[static_cast<size_t>(col)];
      }
    }
  }

  int64_t size() const { return n_; }
  bool has(int64_t u, int64_t v) const { return is_edge_[static_cast<size_t>(u * n_ + v)] != 0; }
  int64_t degree(int64_t v) const { return degree_[static_cast<size_t>(v)]; }
  int64_t n_common(int64_t u, int64_t v) const {
    int64_t n = 0;
    for (int64_t w = 0; w < n_; ++w) n += has(u, w) && has(v, w);
    return n;
  }
  /* Of one vertex. */
  int64_t n_triangles(int64_t v) const {
    int64_t n = 0;
    for (int64_t u = 0; u < n_; ++u) {
      if (has(u, v)) n += n_common(u, v);
    }
    return n / 2;
  }
  int64_t n_triangles() const {
    int64_t n = 0;
    for (int64_t v = 0; v < n_; ++v) n += n_triangles(v);
    return n / 3;
  }
  /* Edges between each vertex and one; -1: there is no way. */
  std::vector<int64_t> distances(int64_t from) const {
    std::vector<int64_t> result(static_cast<size_t>(n_), -1), queue(1, from);
    result[static_cast<size_t>(from)] = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (int64_t v = 0; v < n_; ++v) {
        if (!has(queue[i], v) || result[static_cast<size_t>(v)] >= 0) continue;
        result[static_cast<size_t>(v)] = result[static_cast<size_t>(queue[i])] + 1;
        queue.push_back(v);
      }
    }
    return result;
  }
};

#endif
