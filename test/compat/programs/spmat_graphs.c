/* Graphs: Erdos-Renyi against a serial reference that follows its description word by word, geometric ones against all
   pairs of points, Kronecker products against the definition, and their triangles against closed forms. */
#include <spmat.h>

#include "check.h"

#define N_MAX 90

static double skip(double p) { return 1 + floor(log(1 - lgp_rand_double()) / log(1 - p)); }

/* This PE's rows of the graph, in the order of the entries. */
static int64_t expect_rows(int64_t n, double p, int directed, int loops, int64_t seed, int64_t* columns,
                           int64_t* ends) {
  int64_t row, k = 0, begin;
  double col;
  lgp_rand_seed(seed);
  col = skip(p);
  for (row = MYTHREAD; row < n; row += THREADS) {
    const double end = (double)(directed ? n : row);
    int hit = 0;
    begin = k;
    while (col < end) {
      columns[k++] = (int64_t)col;
      if ((int64_t)col == row) hit = 1;
      col += skip(p);
    }
    if (loops && !hit) columns[k++] = row;
    col -= end;
    ends[row / THREADS] = k;
    (void)begin;
  }
  return k;
}

static int by_col(const void* a, const void* b) {
  const double x = ((const double*)a)[0], y = ((const double*)b)[0];
  return x < y ? -1 : x > y;
}

static void erdos_renyi(int64_t n, double p, edge_type type, self_loops loops, int64_t seed) {
  static int64_t columns[N_MAX * (N_MAX + 1)], ends[N_MAX];
  const int directed = type == DIRECTED || type == DIRECTED_WEIGHTED,
            weighted = type == DIRECTED_WEIGHTED || type == UNDIRECTED_WEIGHTED;
  const int64_t lnnz = expect_rows(n, p, directed, loops == LOOPS, seed, columns, ends);
  double pairs[N_MAX * (N_MAX + 1)][2];
  int64_t i, k;
  sparsemat_t* a;
  for (k = 0; k < lnnz; ++k) {
    pairs[k][0] = (double)columns[k];
    pairs[k][1] = weighted ? lgp_rand_double() : 0;
  }
  if (directed && loops == LOOPS)
    for (k = i = 0; i < (n + THREADS - MYTHREAD - 1) / THREADS; k = ends[i++])
      qsort(pairs[k], (size_t)(ends[i] - k), sizeof *pairs, by_col);
  lgp_rand_seed(99);
  a = erdos_renyi_random_graph(n, p, type, loops, (uint64_t)seed);
  CHECK(a->numrows == n && a->numcols == n && a->lnnz == lnnz && a->nnz == lgp_reduce_add_l(lnnz) &&
        (a->value != NULL) == weighted);
  for (k = 0; k < lnnz; ++k)
    CHECK(a->lnonzero[k] == (int64_t)pairs[k][0] && (!weighted || a->lvalue[k] == pairs[k][1]));
  for (i = 0; i < a->lnumrows; ++i) CHECK(a->loffset[i + 1] == ends[i]);
  if (!directed) CHECK(is_lower_triangular(a, loops == LOOPS) == 1);
  clear_matrix(a);
  free(a);
}

static void ends_of_erdos_renyi(void) {
  sparsemat_t* a = erdos_renyi_random_graph(50, 0, DIRECTED, NOLOOPS, 3);
  CHECK(a->nnz == 0);
  clear_matrix(a), free(a);
  a = erdos_renyi_random_graph(50, 1, UNDIRECTED, LOOPS,
                               3); /* as described: a PE's first possible edge is never taken */
  CHECK(a->nnz <= 50 * 51 / 2 && a->nnz >= 50 * 51 / 2 - THREADS);
  clear_matrix(a), free(a);
  a = erdos_renyi_random_graph(1000, 1e-18, DIRECTED, NOLOOPS, 3);
  CHECK(a->nnz == 0);
  clear_matrix(a), free(a);
  a = erdos_renyi_random_graph(0, 0.5, DIRECTED, LOOPS, 3);
  CHECK(a->nnz == 0 && a->lnumrows == 0);
  clear_matrix(a), free(a);
}

static bool is_edge(sparsemat_t* a, int64_t i, int64_t j) {
  int64_t k, begin = lgp_get_int64(a->offset, i), end = lgp_get_int64(a->offset, i + THREADS);
  for (k = begin; k < end; ++k)
    if (lgp_get_int64(a->nonzero, k * THREADS + i % THREADS) == j) return true;
  return false;
}

static void geometric(int64_t n, double r, edge_type type, self_loops loops) {
  SHARED point_t* points = NULL;
  sparsemat_t* a = geometric_random_graph(n, r, type, loops, 17, &points);
  point_t* all = (point_t*)malloc((size_t)(n + 1) * sizeof(point_t));
  int64_t i, j;
  CHECK(a != NULL && points != NULL && (a->value != NULL) == (type == UNDIRECTED_WEIGHTED));
  for (i = 0; i < n; ++i) lgp_memget(&all[i], points, sizeof(point_t), i);
  for (i = 0; i < n; ++i) CHECK(all[i].x >= 0 && all[i].x < 1 && all[i].y >= 0 && all[i].y < 1);
  for (i = MYTHREAD; i < n; i += THREADS) {
    int64_t k = a->loffset[i / THREADS];
    for (j = 0; j <= i; ++j) {
      const double x = all[i].x - all[j].x, y = all[i].y - all[j].y;
      if (j == i ? loops == NOLOOPS : x * x + y * y > r * r) continue;
      CHECK(k < a->loffset[i / THREADS + 1] && a->lnonzero[k] == j &&
            (a->value == NULL || (a->lvalue[k] >= 0 && a->lvalue[k] < 1)));
      ++k;
    }
    CHECK(k == a->loffset[i / THREADS + 1]);
  }
  lgp_barrier();
  lgp_all_free(points);
  clear_matrix(a), free(a), free(all);
  a = geometric_random_graph(n, r, type, loops, 17, NULL);
  CHECK(a != NULL);
  clear_matrix(a), free(a);
}

static void models(void) {
  const int64_t n = 400;
  const double density = 0.1;
  sparsemat_t *half, *a;
  int64_t i, j;
  for (i = 0; i < 4; ++i) {
    const edge_type type = i == 0 ? DIRECTED : i == 1 ? UNDIRECTED : i == 2 ? DIRECTED_WEIGHTED : UNDIRECTED_WEIGHTED;
    const double pairs = (double)(n * (n - 1)) / (type == UNDIRECTED || type == UNDIRECTED_WEIGHTED ? 2 : 1);
    a = random_graph(n, GEOMETRIC, type, NOLOOPS, density, 5);
    CHECK((double)a->nnz > 0.7 * density * pairs && (double)a->nnz < 1.3 * density * pairs &&
          (a->value != NULL) == (i >= 2));
    clear_matrix(a), free(a);
    a = random_graph(n, FLAT, type, NOLOOPS, density, 5);
    CHECK((double)a->nnz > 0.7 * density * pairs && (double)a->nnz < 1.3 * density * pairs &&
          (a->value != NULL) == (i >= 2));
    clear_matrix(a), free(a);
  }
  half = erdos_renyi_random_graph(40, 0.2, UNDIRECTED_WEIGHTED, LOOPS, 5);
  a = direct_undirected_graph(half);
  CHECK(a->nnz == half->nnz && !is_lower_triangular(a, 0) && !is_upper_triangular(a, 0));
  for (i = 0; i < 40; ++i)
    for (j = 0; j <= i; ++j) CHECK(is_edge(half, i, j) == (is_edge(a, i, j) || is_edge(a, j, i)));
  lgp_barrier();
  clear_matrix(half), clear_matrix(a), free(half), free(a);
}

/* The vertices of a product are tuples: one is linked to another if that holds for all their parts. */
static bool stars_link(int n, const int64_t* m, int mode, int64_t a, int64_t b) {
  for (; n > 0; --n, ++m) {
    int64_t i, size = 1, x, y;
    for (i = 1; i < n; ++i) size *= m[i] + 1;
    x = a / size, y = b / size, a %= size, b %= size;
    if ((x == 0) != (y == 0)) continue;
    if (mode == 1 && x == 0 && y == 0) continue;
    if (mode == 2 && x == m[0] && y == m[0]) continue;
    return false;
  }
  return true;
}

static void kronecker(int mode) {
  int64_t m[] = {2, 3, 1, 2}, i, j, k, n_triangles = 0;
  int spec[] = {2, 3, 1, 2};
  const int64_t n = 3 * 4 * 2 * 3;
  sparsemat_t *local = kronecker_product_of_stars(4, m, mode), *star = gen_star_graph(3, mode), *b, *c, *product, *a;
  CHECK(local->local == 1 && local->numrows == n && local->lnumrows == n && star->numrows == 4);
  CHECK(star->nnz == 6 + (mode != 0) && star->loffset[4] == star->nnz && star->value == NULL);
  for (i = 0; i < n; ++i)
    for (k = local->loffset[i], j = 0; j < n; ++j)
      if (stars_link(4, m, mode, i, j)) CHECK(k < local->loffset[i + 1] && local->lnonzero[k++] == j);
  CHECK(local->loffset[n] == local->nnz);
  b = kronecker_product_of_stars(2, m, mode);
  c = kronecker_product_of_stars(2, m + 2, mode);
  product = kronecker_product_graph_local(b, c);
  CHECK(compare_matrix(product, local) == 0);
  a = kronecker_product_graph_dist(b, c);
  CHECK(a->local == 0 && a->numrows == n);
  for (i = MYTHREAD; i < n; i += THREADS) {
    k = a->loffset[i / THREADS];
    for (j = 0; j < i; ++j)
      if (stars_link(4, m, mode, i, j)) CHECK(k < a->loffset[i / THREADS + 1] && a->lnonzero[k++] == j);
    CHECK(k == a->loffset[i / THREADS + 1]);
  }
  for (i = 0; i < n; ++i)
    for (j = 0; j < i; ++j)
      for (k = 0; k < j; ++k)
        n_triangles += stars_link(4, m, mode, i, j) && stars_link(4, m, mode, i, k) && stars_link(4, m, mode, j, k);
  CHECK(calc_num_tri_kron_graph(mode, spec, 4) == n_triangles && (mode == 0) == (n_triangles == 0));
  clear_matrix(product), free(product);
  product = generate_kronecker_graph_from_spec(mode, spec, 4);
  CHECK(compare_matrix(product, a) == 0);
  clear_matrix(product), clear_matrix(a), clear_matrix(b), clear_matrix(c), clear_matrix(star), clear_matrix(local);
  free(product), free(a), free(b), free(c), free(star), free(local);
}

static void densities(void) {
  double e = 0, z = 10;
  resolve_edge_prob_and_nz_per_row(&e, &z, 101, DIRECTED, NOLOOPS);
  CHECK(e == 0.1 && z == 10);
  e = 0, resolve_edge_prob_and_nz_per_row(&e, &z, 101, UNDIRECTED, NOLOOPS);
  CHECK(e == 0.2);
  e = 0, resolve_edge_prob_and_nz_per_row(&e, &z, 101, DIRECTED_WEIGHTED, LOOPS);
  CHECK(e == 0.09);
  e = 0, resolve_edge_prob_and_nz_per_row(&e, &z, 6, DIRECTED, NOLOOPS);
  CHECK(e == 1);
  e = 0.5, resolve_edge_prob_and_nz_per_row(&e, &z, 101, DIRECTED, NOLOOPS);
  CHECK(e == 0.5 && z == 25);
}

#ifdef __cplusplus
static void names_of_bale_2() {
  int64_t m[] = {2, 3, 1}, i, j;
  for (int64_t mode = 0; mode < 4; ++mode) {
    sparsemat_t* a = gen_erdos_renyi_graph_dist(60, 0.2, mode % 2, mode, 4);
    CHECK(a->nnz > 0 && is_lower_triangular(a, mode % 2) == (mode == 1) && is_upper_triangular(a, 0) == (mode == 2));
    bool is_symmetric = true;
    for (i = 0; i < 60; ++i) CHECK(is_edge(a, i, i) == (mode % 2 == 1));
    for (i = 0; i < 60; ++i)
      for (j = 0; j < i; ++j) is_symmetric = is_symmetric && is_edge(a, i, j) == is_edge(a, j, i);
    CHECK(is_symmetric == (mode == 0));
    lgp_barrier();
    clear_matrix(a), free(a);
  }
  sparsemat_t *b = gen_local_mat_from_stars(2, m, 1), *c = gen_star(m[2], 1), *product = kron_prod(b, c);
  sparsemat_t *whole = kron_prod_dist(b, c, 0), *lower = kron_prod_dist(b, c, 1), *empty = init_matrix(4, 5, 0);
  CHECK(whole->nnz == product->nnz && lower->nnz == (whole->nnz - 1) / 2 && empty->numcols == 5 &&
        empty->value == NULL);
  for (sparsemat_t* one : {empty, lower, whole, product, c, b}) clear_matrix(one), free(one);
}
#endif

int main(int argc, char** argv) {
  const edge_type types[] = {DIRECTED, UNDIRECTED, DIRECTED_WEIGHTED, UNDIRECTED_WEIGHTED};
  const int64_t sizes[] = {1, 2, 5, 64, N_MAX};
  int i, j, k;
  lgp_init(argc, argv);
  for (i = 0; i < 4; ++i) {
    for (j = 0; j < 5; ++j) {
      for (k = 0; k < 2; ++k) {
        erdos_renyi(sizes[j], 0.1, types[i], k == 0 ? NOLOOPS : LOOPS, 31 + j);
        erdos_renyi(sizes[j], 0.7, types[i], k == 0 ? NOLOOPS : LOOPS, 62 + j);
      }
    }
  }
  ends_of_erdos_renyi();
  for (i = 0; i < 2; ++i) {
    geometric(200, i == 0 ? 0.1 : 0.021, UNDIRECTED, i == 0 ? NOLOOPS : LOOPS);
    geometric(150, i == 0 ? 0.34 : 0.6, UNDIRECTED_WEIGHTED, i == 0 ? NOLOOPS : LOOPS);
    geometric(i, 2, UNDIRECTED, LOOPS);
    geometric(20, 0, UNDIRECTED, NOLOOPS);
  }
  models();
  for (i = 0; i < 3; ++i) kronecker(i);
  densities();
#ifdef __cplusplus
  names_of_bale_2();
#endif
  lgp_barrier();
  if (MYTHREAD == 0) printf("passed\n");
  lgp_finalize();
  return 0;
}
