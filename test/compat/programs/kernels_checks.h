/* Runs the kernels of one form and compares what they make with a serial recomputation. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_CHECKS_H
#define SHOAL_TEST_COMPAT_KERNELS_CHECKS_H

#include <math.h>
#include <unistd.h>

#include "kernels_whole.h"

/* Element g of a dealt array is element g / THREADS of PE g % THREADS. All are collective. */
typedef struct {
  const char* name;
  void (*histogram)(SHARED int64_t* counts, const int64_t* index, int64_t n);
  void (*index_gather)(int64_t* target, SHARED int64_t* table, const int64_t* index, int64_t n);
  SHARED int64_t* (*randperm)(int64_t n);
  sparsemat_t* (*permute)(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns);
  sparsemat_t* (*transpose)(sparsemat_t* a);
  void (*toposort)(sparsemat_t* a, sparsemat_t* transpose, SHARED int64_t* rows, SHARED int64_t* columns);
  int64_t (*triangles)(sparsemat_t* lower, sparsemat_t* upper, bool by_upper);
  void (*sssp)(sparsemat_t* a, int64_t source, SHARED double* distance);
  /* Of a graph with both halves. NULL: the form does not have it. */
  void (*pagerank)(sparsemat_t* a, int n_iterations, SHARED double* rank);
  void (*jaccard)(sparsemat_t* a, double* result); /* by nonzero of this PE; of those before the diagonal */
  void (*centrality)(sparsemat_t* a, double* result); /* by row of this PE */
} kernels;

static bool is_near(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

static uint64_t index_of(int pe, int64_t i, int64_t n) { return hash(3, (uint64_t)pe, (uint64_t)i) % (uint64_t)n; }

static void check_tables(const kernels* its, int64_t n) {
  const int64_t n_table = 3 * n + THREADS / 2, n_mine = 40 * n / THREADS + 100;
  int64_t* index = (int64_t*)zeros(n_mine, sizeof(int64_t));
  int64_t* target = (int64_t*)zeros(n_mine, sizeof(int64_t));
  int64_t* expected = (int64_t*)zeros(n_table, sizeof(int64_t));
  SHARED int64_t* counts = deal_numbers(expected, n_table);
  SHARED int64_t* table;
  int64_t i;
  int pe;
  for (pe = 0; pe < THREADS; ++pe) {
    for (i = 0; i < n_mine; ++i) ++expected[index_of(pe, i, n_table)];
  }
  for (i = 0; i < n_mine; ++i) index[i] = (int64_t)index_of(MYTHREAD, i, n_table);
  its->histogram(counts, index, n_mine);
  lgp_barrier();
  for (i = MYTHREAD; i < n_table; i += THREADS) CHECK(lgp_local_part(int64_t, counts)[i / THREADS] == expected[i]);

  for (i = 0; i < n_table; ++i) expected[i] = -(i + 1);
  table = deal_numbers(expected, n_table);
  its->index_gather(target, table, index, n_mine);
  for (i = 0; i < n_mine; ++i) CHECK(target[i] == -(index[i] + 1));
  lgp_barrier();
  lgp_all_free(table);
  lgp_all_free(counts);
  free(index), free(target), free(expected);
}

/* All of a dealt array that is to be a permutation. */
static int64_t* read_permutation(SHARED int64_t* perm, int64_t n) {
  int64_t* all = (int64_t*)zeros(n, sizeof(int64_t));
  char* is_there = (char*)zeros(n, 1);
  int64_t i;
  lgp_barrier();
  for (i = 0; i < n; ++i) {
    all[i] = lgp_get_int64(perm, i);
    CHECK(all[i] >= 0 && all[i] < n && !is_there[all[i]]);
    is_there[all[i]] = 1;
  }
  lgp_barrier();
  free(is_there);
  return all;
}

static void check_randperm(const kernels* its, int64_t n) {
  SHARED int64_t* perm = its->randperm(n);
  int64_t *all = read_permutation(perm, n), n_in_place = 0, i;
  for (i = 0; i < n; ++i) n_in_place += all[i] == i;
  CHECK(n < 20 || n_in_place < n / 2);
  lgp_all_free(perm);
  free(all);
}

static void check_matrices(const kernels* its, const whole* a) {
  int64_t *rows = shuffled(a->n_rows, 11), *cols = shuffled(a->n_cols, 12);
  SHARED int64_t* shared_rows = deal_numbers(rows, a->n_rows);
  SHARED int64_t* shared_cols = deal_numbers(cols, a->n_cols);
  sparsemat_t *in = deal(a, 0), *out = its->permute(in, shared_rows, shared_cols);
  whole expected = permuted(a, rows, cols), result = read_whole(out);
  memset(expected.value, 0, (size_t)expected.nnz * sizeof(double));
  CHECK(is_same(&result, &expected));
  free_whole(result), free_whole(expected), free_matrix(out);
  out = its->transpose(in);
  expected = transposed(a), result = read_whole(out);
  memset(expected.value, 0, (size_t)expected.nnz * sizeof(double));
  CHECK(is_same(&result, &expected));
  free_whole(result), free_whole(expected), free_matrix(out), free_matrix(in);
  lgp_all_free(shared_cols);
  lgp_all_free(shared_rows);
  free(rows), free(cols);
}

/* Rows and columns of an upper triangle are permuted; the kernel finds an order in which it is one again. */
static void check_toposort(const kernels* its, const whole* lower_with_diagonal) {
  const int64_t n = lower_with_diagonal->n_rows;
  int64_t *rows = shuffled(n, 21), *cols = shuffled(n, 22), row, k, n_on_diagonal = 0;
  whole upper = transposed(lower_with_diagonal), mixed = permuted(&upper, rows, cols), turned = transposed(&mixed);
  sparsemat_t *a = deal(&mixed, 0), *t = deal(&turned, 0);
  SHARED int64_t* shared_rows = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  SHARED int64_t* shared_cols = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  for (row = 0; row < (n + THREADS - 1) / THREADS; ++row) {
    lgp_local_part(int64_t, shared_rows)[row] = lgp_local_part(int64_t, shared_cols)[row] = -1;
  }
  lgp_barrier();
  its->toposort(a, t, shared_rows, shared_cols);
  free(rows), free(cols);
  rows = read_permutation(shared_rows, n), cols = read_permutation(shared_cols, n);
  for (row = 0; row < n; ++row) {
    for (k = mixed.offset[row]; k < mixed.offset[row + 1]; ++k) {
      CHECK(rows[row] <= cols[mixed.col[k]]);
      n_on_diagonal += rows[row] == cols[mixed.col[k]];
    }
  }
  CHECK(n_on_diagonal == n);
  lgp_all_free(shared_cols);
  lgp_all_free(shared_rows);
  free_matrix(a), free_matrix(t);
  free_whole(upper), free_whole(mixed), free_whole(turned);
  free(rows), free(cols);
}

static int64_t n_triangles_at(const whole* graph, int64_t u) {
  int64_t n = 0, k;
  for (k = graph->offset[u]; k < graph->offset[u + 1]; ++k) n += n_common(graph, u, graph->col[k]);
  return n / 2;
}

static void check_triangles(const kernels* its, const whole* lower, const whole* graph) {
  whole upper = transposed(lower);
  sparsemat_t *l = deal(lower, 0), *u = deal(&upper, 0);
  int64_t n = 0, row;
  for (row = 0; row < graph->n_rows; ++row) n += n_triangles_at(graph, row);
  CHECK(n > 0 || graph->n_rows < 20);
  CHECK(its->triangles(l, u, false) == n / 3);
  CHECK(its->triangles(l, u, true) == n / 3);
  free_matrix(l), free_matrix(u), free_whole(upper);
}

/* Relaxes all edges until nothing changes. */
static void check_sssp(const kernels* its, const whole* a, int64_t source) {
  const int64_t n = a->n_rows;
  double* expected = (double*)zeros(n, sizeof(double));
  SHARED double* distance = (double*)lgp_all_alloc(n, sizeof(double));
  sparsemat_t* in = deal(a, 1);
  int64_t row, k;
  bool has_changed = true;
  for (row = 0; row < n; ++row) expected[row] = row == source ? 0 : INFINITY;
  while (has_changed) {
    has_changed = false;
    for (row = 0; row < n; ++row) {
      for (k = a->offset[row]; k < a->offset[row + 1]; ++k) {
        const double next = expected[row] + a->value[k];
        if (next >= expected[a->col[k]]) continue;
        expected[a->col[k]] = next, has_changed = true;
      }
    }
  }
  its->sssp(in, source, distance);
  lgp_barrier();
  for (row = MYTHREAD; row < n; row += THREADS) {
    CHECK(is_near(lgp_local_part(double, distance)[row / THREADS], expected[row]));
  }
  lgp_barrier();
  lgp_all_free(distance);
  free_matrix(in);
  free(expected);
}

static void check_pagerank(const kernels* its, const whole* graph) {
  enum { n_iterations = 5 };
  const int64_t n = graph->n_rows;
  double* rank = (double*)zeros(n, sizeof(double));
  double* next = (double*)zeros(n, sizeof(double));
  SHARED double* result = (double*)lgp_all_alloc(n, sizeof(double));
  sparsemat_t* a = deal(graph, 0);
  int64_t row, k;
  int i;
  for (row = 0; row < n; ++row) rank[row] = 1.0 / (double)n;
  for (i = 0; i < n_iterations; ++i) {
    for (row = 0; row < n; ++row) {
      double sum = 0;
      for (k = graph->offset[row]; k < graph->offset[row + 1]; ++k) {
        const int64_t u = graph->col[k];
        sum += rank[u] / (double)(graph->offset[u + 1] - graph->offset[u]);
      }
      next[row] = 0.15 / (double)n + 0.85 * sum;
    }
    memcpy(rank, next, (size_t)n * sizeof(double));
  }
  its->pagerank(a, n_iterations, result);
  for (row = MYTHREAD; row < n; row += THREADS) {
    CHECK(is_near(lgp_local_part(double, result)[row / THREADS], rank[row]));
  }
  lgp_barrier();
  lgp_all_free(result);
  free_matrix(a);
  free(rank), free(next);
}

static void check_neighbours(const kernels* its, const whole* graph) {
  const int64_t n = graph->n_rows;
  sparsemat_t* a = deal(graph, 0);
  double* similarity = (double*)zeros(a->lnnz, sizeof(double));
  double* central = (double*)zeros(a->lnumrows, sizeof(double));
  int64_t row, k, n_all = 0;
  its->jaccard(a, similarity);
  its->centrality(a, central);
  for (row = 0; row < n; ++row) n_all += n_triangles_at(graph, row);
  for (row = MYTHREAD; row < n; row += THREADS) {
    const int64_t degree = graph->offset[row + 1] - graph->offset[row];
    double sum = (double)n_triangles_at(graph, row) / 3;
    for (k = graph->offset[row]; k < graph->offset[row + 1]; ++k) {
      const int64_t u = graph->col[k], n_both = n_common(graph, row, u);
      const double around_u = (double)n_triangles_at(graph, u);
      sum += n_both > 0 ? around_u / 3 : around_u;
      if (u < row) {
        const int64_t n_either = degree + graph->offset[u + 1] - graph->offset[u] - n_both;
        const int64_t at = a->loffset[row / THREADS] + k - graph->offset[row];
        CHECK(is_near(similarity[at], (double)n_both / (double)n_either));
      }
    }
    if (n_all > 0) CHECK(is_near(central[row / THREADS], sum / (double)(n_all / 3)));
  }
  free_matrix(a);
  free(similarity), free(central);
}

static whole random_whole(int64_t n, double p, edge_type type, self_loops loops, uint64_t seed) {
  sparsemat_t* a = erdos_renyi_random_graph(n, p, type, loops, seed);
  whole result;
  CHECK(a != NULL);
  result = read_whole(a);
  free_matrix(a);
  return result;
}

/* Option n: rows per PE. */
static int check_kernels(const kernels* its, int argc, char* argv[]) {
  int64_t n = 30, i;
  double p;
  whole lower, graph, with_diagonal, directed, weighted;
  for (i = getopt(argc, argv, "n:"); i == 'n'; i = getopt(argc, argv, "n:")) n = atol(optarg);
  n = n * THREADS + THREADS / 2; /* rarely a multiple of the number of PEs */
  p = 12.0 / (double)n;
  lower = random_whole(n, p, UNDIRECTED, NOLOOPS, 12345);
  graph = both_halves(&lower);
  with_diagonal = random_whole(n, p, UNDIRECTED, LOOPS, 54321);
  directed = random_whole(n, p, DIRECTED, NOLOOPS, 777);
  weighted = random_whole(n, p / 2, DIRECTED_WEIGHTED, NOLOOPS, 888);
  check_tables(its, n);
  check_randperm(its, n);
  check_matrices(its, &directed);
  check_toposort(its, &with_diagonal);
  check_triangles(its, &lower, &graph);
  check_sssp(its, &weighted, 0);
  check_sssp(its, &weighted, n / 2);
  if (its->pagerank != NULL) check_pagerank(its, &graph);
  if (its->jaccard != NULL && its->centrality != NULL) check_neighbours(its, &graph);
  free_whole(lower), free_whole(graph), free_whole(with_diagonal), free_whole(directed), free_whole(weighted);
  lgp_barrier();
  PASSED();
  return 0;
}

#endif
