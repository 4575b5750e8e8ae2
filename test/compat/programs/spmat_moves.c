/* Transposes, permutations and random permutations in all variants, and what takes a matrix as it is, against a matrix
   that is known element by element. Arguments: none. */
#include <spmat.h>

#include "check.h"

/* Whether the matrix of a test has an element, and its value. */
static bool has(int64_t i, int64_t j) { return (i * 7 + j * 13 + i * j) % 5 == 0 || (i == 3 && j % 2 == 0); }
static double value_of(int64_t i, int64_t j) { return (double)(1000 * i + j) + 0.25; }

static sparsemat_t* make(int64_t nr, int64_t nc, int weighted) {
  int64_t i, j, lnnz = 0;
  sparsemat_t* a;
  for (i = MYTHREAD; i < nr; i += THREADS)
    for (j = 0; j < nc; ++j) lnnz += has(i, j);
  a = init_matrix(nr, nc, lnnz, weighted);
  CHECK(a != NULL && a->local == 0 && a->numrows == nr && a->numcols == nc && a->lnnz == lnnz);
  CHECK(a->lnumrows == (nr + THREADS - MYTHREAD - 1) / THREADS && a->nnz == lgp_reduce_add_l(lnnz));
  CHECK(a->loffset == a->offset && a->lnonzero == a->nonzero && a->lvalue == a->value &&
        (a->value != NULL) == (weighted != 0));
  lnnz = 0;
  a->loffset[0] = 0;
  for (i = MYTHREAD; i < nr; i += THREADS) {
    for (j = nc - 1; j >= 0; --j) { /* from the right, so that a sort has work */
      if (!has(i, j)) continue;
      a->lnonzero[lnnz] = j;
      if (weighted) a->lvalue[lnnz] = value_of(i, j);
      ++lnnz;
    }
    a->loffset[i / THREADS + 1] = lnnz;
  }
  lgp_barrier();
  return a;
}

/* Where an element of the known matrix goes. */
typedef struct goes {
  int transposes;
  int64_t* rows; /* by the inverse permutations: where an element comes from; NULL: stays */
  int64_t* columns;
} goes;

static bool comes(const goes* how, int64_t i, int64_t j, double* value) {
  const int64_t k = how->transposes ? j : i, l = how->transposes ? i : j;
  const int64_t row = how->rows ? how->rows[k] : k, column = how->columns ? how->columns[l] : l;
  *value = value_of(row, column);
  return has(row, column);
}

static void check(sparsemat_t* a, int64_t nr, int64_t nc, int weighted, const goes* how, bool sorted) {
  int64_t i, j, k, lnnz = 0;
  double value;
  CHECK(a != NULL && a->numrows == nr && a->numcols == nc && (a->value != NULL) == (weighted != 0));
  CHECK(a->lnumrows == (nr + THREADS - MYTHREAD - 1) / THREADS && a->loffset[0] == 0);
  if (sorted)
    for (i = 0; i < a->lnumrows; ++i)
      for (k = a->loffset[i] + 1; k < a->loffset[i + 1]; ++k) CHECK(a->lnonzero[k - 1] < a->lnonzero[k]);
  CHECK(sort_nonzeros(a) == 0);
  for (i = MYTHREAD; i < nr; i += THREADS) {
    for (j = 0; j < nc; ++j) {
      if (!comes(how, i, j, &value)) continue;
      CHECK(lnnz < a->lnnz && a->lnonzero[lnnz] == j && (!weighted || a->lvalue[lnnz] == value));
      ++lnnz;
    }
    CHECK(a->loffset[i / THREADS + 1] == lnnz);
  }
  CHECK(a->lnnz == lnnz && a->nnz == lgp_reduce_add_l(lnnz));
  clear_matrix(a);
  free(a);
}

static int64_t* whole_inverse(SHARED int64_t* perm, int64_t n) {
  int64_t i, *inverse = (int64_t*)malloc((size_t)(n + 1) * sizeof(int64_t));
  for (i = 0; i < n; ++i) inverse[lgp_get_int64(perm, i)] = i;
  return inverse;
}

static void move_all(int64_t nr, int64_t nc, int weighted) {
  sparsemat_t *a = make(nr, nc, weighted), *t, *tt, *copy;
  SHARED int64_t *rows = rand_permp(nr, 5), *columns = rand_permp(nc, 6);
  int64_t* inverse[2];
  goes turned = {1, NULL, NULL}, moved = {0, NULL, NULL};
  int64_t buf_cnt;
  inverse[0] = moved.rows = whole_inverse(rows, nr);
  inverse[1] = moved.columns = whole_inverse(columns, nc);
  lgp_barrier();
  check(transpose_matrix(a), nc, nr, weighted, &turned, true);
  check(transpose_matrix_agp(a), nc, nr, weighted, &turned, false);
  check(transpose_matrix_conveyor(a), nc, nr, weighted, &turned, false);
  check(permute_matrix(a, rows, columns), nr, nc, weighted, &moved, true);
  check(permute_matrix_agp(a, rows, columns), nr, nc, weighted, &moved, false);
  check(permute_matrix_conveyor(a, rows, columns), nr, nc, weighted, &moved, false);
  for (buf_cnt = 1; buf_cnt <= 100; buf_cnt += 99) {
    check(transpose_matrix_exstack(a, buf_cnt), nc, nr, weighted, &turned, false);
    check(transpose_matrix_exstack2(a, buf_cnt), nc, nr, weighted, &turned, false);
    check(permute_matrix_exstack(a, rows, columns, buf_cnt), nr, nc, weighted, &moved, false);
    check(permute_matrix_exstack2(a, rows, columns, buf_cnt), nr, nc, weighted, &moved, false);
  }
  CHECK(transpose_matrix_exstack(a, 0) == NULL && permute_matrix_exstack2(a, rows, columns, 0) == NULL);
  t = transpose_matrix(a);
  tt = transpose_matrix(t);
  copy = copy_matrix(a);
  CHECK(compare_matrix(a, copy) == 0);
  sort_nonzeros(copy);
  CHECK(compare_matrix(copy, tt) == 0);
  clear_matrix(t), clear_matrix(tt), clear_matrix(copy), clear_matrix(a);
  clear_matrix(a); /* a second time is harmless */
  free(t), free(tt), free(copy), free(a), free(inverse[0]), free(inverse[1]);
  lgp_all_free(rows), lgp_all_free(columns);
}

static void permutations(int64_t n) {
  SHARED int64_t* perms[6];
  SHARED int64_t* other = rand_permp(n, 10);
  int64_t i, k, n_equal = 0;
  perms[0] = rand_permp(n, 9), perms[1] = rand_permp_agp(n, 9), perms[2] = rand_permp_conveyor(n, 9);
  perms[3] = rand_permp_exstack(n, 9, 7), perms[4] = rand_permp_exstack2(n, 9, 7),
  perms[5] = rand_permp_exstack(n, 9, 5000);
  for (k = 0; k < 6; ++k) {
    CHECK(perms[k] != NULL && is_perm(perms[k], n) == 1);
    for (i = 0; i < (n + THREADS - MYTHREAD - 1) / THREADS; ++i) {
      CHECK(perms[k][i] == perms[0][i]);
      n_equal += k == 0 && perms[k][i] == other[i];
    }
  }
  CHECK(is_perm(other, n) == 1 && lgp_reduce_add_l(n_equal) <= n / 10 + 5);
  if (n > 2) { /* wrong in each way */
    const int64_t wrong[] = {-1, n, INT64_MAX, INT64_MIN, lgp_get_int64(other, 1)};
    const int64_t right = lgp_get_int64(other, 0);
    for (k = 0; k < 5; ++k) {
      lgp_barrier();
      if (MYTHREAD == 0) lgp_put_int64(other, 0, wrong[k]);
      lgp_barrier();
      CHECK(is_perm(other, n) == 0);
    }
    lgp_barrier();
    if (MYTHREAD == 0) lgp_put_int64(other, 0, right);
    lgp_barrier();
    CHECK(is_perm(other, n) == 1);
  }
  for (k = 5; k >= 0; --k) lgp_all_free(perms[k]);
  lgp_all_free(other);
}

/* Each of the n! permutations is about as often. */
static void are_uniform(void) {
  int64_t counts[27] = {0}, seed, i, code;
  const int64_t n_draws = 1200;
  for (seed = 0; seed < n_draws; ++seed) {
    SHARED int64_t* perm = rand_permp(3, (int)seed);
    for (code = i = 0; i < 3; ++i) code = 3 * code + lgp_get_int64(perm, i);
    ++counts[code];
    lgp_barrier();
    lgp_all_free(perm);
  }
  for (i = 0; i < 27; ++i) CHECK(counts[i] == 0 || (counts[i] > 140 && counts[i] < 260)); /* 200, deviation 13 */
}

static void triangles(void) {
  const int64_t n = 23;
  sparsemat_t *a = make(n, n, 1), *lower = copy_matrix(a), *upper = copy_matrix(a), *unit;
  int64_t i, j, k, removed[2] = {0, 0};
  for (i = 0; i < n; ++i)
    for (j = 0; j < n; ++j) removed[0] += has(i, j) && j - i > -1, removed[1] += has(i, j) && j - i < 2;
  CHECK(!is_lower_triangular(a, 0) && !is_upper_triangular(a, 0));
  CHECK(tril(lower, -1) == removed[0] && lower->nnz == a->nnz - removed[0] && is_lower_triangular(lower, 0) == 1);
  CHECK(triu(upper, 2) == removed[1] && upper->nnz == a->nnz - removed[1] && is_upper_triangular(upper, 0) == 1);
  CHECK(is_lower_triangular(lower, 1) == 0 && is_upper_triangular(upper, 1) == 0 &&
        lgp_reduce_add_l(lower->lnnz) == lower->nnz);
  for (i = MYTHREAD; i < n; i += THREADS)
    for (k = lower->loffset[i / THREADS]; k < lower->loffset[i / THREADS + 1]; ++k)
      CHECK(lower->lnonzero[k] < i && has(i, lower->lnonzero[k]) &&
            lower->lvalue[k] == value_of(i, lower->lnonzero[k]));
  CHECK(spmat_are_eq_doubles(1, 1) == 0 && spmat_are_eq_doubles(0, 1e-9) == 0 && spmat_are_eq_doubles(0, 1e-3) != 0);
  CHECK(spmat_are_eq_doubles(-1e9, -1e9 - 1) == 0 && spmat_are_eq_doubles(-1, -1.01) != 0 &&
        spmat_are_eq_doubles(-1, 1) != 0);
  unit = init_matrix(n, n, 2 * a->lnumrows, 0); /* the diagonal, and in each row the last column, too */
  for (i = MYTHREAD; i < n; i += THREADS) {
    unit->lnonzero[2 * (i / THREADS)] = n - 1;
    unit->lnonzero[2 * (i / THREADS) + 1] = i;
    unit->loffset[i / THREADS + 1] = 2 * (i / THREADS + 1);
  }
  lgp_barrier();
  CHECK(is_upper_triangular(unit, 1) == 1 && is_lower_triangular(unit, 1) == 0 && rowcount_S(unit, n - 1) == 2);
  clear_matrix(a), clear_matrix(lower), clear_matrix(upper), clear_matrix(unit);
  free(a), free(lower), free(upper), free(unit);
}

/* What a PE puts as soon as its call is over stays; what it gets then is there. */
static void remote_access(void) {
  const int64_t n = 1000 * THREADS, next = (MYTHREAD + 1) % THREADS;
  sparsemat_t *a, *copy;
  int64_t round, i;
  for (round = 0; round < 1000; ++round) {
    a = init_matrix(n, 10, 10, 0);
    for (i = 1; i < 5; ++i) lgp_put_int64(a->offset, (1000 - i) * THREADS + next, i);
    lgp_barrier();
    for (i = 1; i < 5; ++i) CHECK(a->loffset[1000 - i] == i);
    lgp_barrier();
    clear_matrix(a);
    free(a);
  }
  a = erdos_renyi_random_graph(n, 0.2 / (double)THREADS, DIRECTED, NOLOOPS, 3);
  for (round = 0; round < 200; ++round) {
    copy = copy_matrix(a);
    CHECK(lgp_get_int64(copy->offset, n + next) == lgp_get_int64(a->offset, n + next));
    lgp_barrier();
    clear_matrix(copy);
    free(copy);
  }
  clear_matrix(a);
  free(a);
}

/* Sizes of which the bytes do not fit into 64 bits. */
static void huge(void) {
  CHECK(init_matrix(INT64_MAX - 1, 5, 0, 0) == NULL);
  CHECK(init_matrix(5, 5, MYTHREAD == 0 ? ((int64_t)1 << 61) + 1 : 0, 1) == NULL);
  CHECK(init_d_array(INT64_MAX - 1) == NULL);
}

/* Takes all of the symmetric heap but one block of `left` bytes. */
static void fill_heap(size_t left, void** blocks, int* n_blocks) {
  void* spare = shmem_malloc(left);
  size_t size = (size_t)1 << 36;
  *n_blocks = 0;
  for (; size >= 16; size /= 2)
    while (*n_blocks < 200 && (blocks[*n_blocks] = shmem_malloc(size)) != NULL) ++*n_blocks;
  shmem_free(spare);
}

static void drop(sparsemat_t* a) {
  if (a != NULL) clear_matrix(a);
  free(a);
}

/* Whatever memory is left, results are NULL or right. */
static void little_memory(void) {
  const int64_t n = 40;
  void* blocks[200];
  sparsemat_t *a = make(n, n, 1), *b;
  SHARED int64_t *rows = rand_permp(n, 1), *perms[5];
  triples_t* t = init_triples(n, n, 1, 1);
  int n_blocks, k, n_nulls = 0;
  size_t left;
  append_triple(t, MYTHREAD, 1, 0.5);
  for (left = 16; left <= (size_t)1 << 22; left += left / 2) {
    fill_heap(left, blocks, &n_blocks);
    perms[0] = rand_permp(n, 9);
    if (perms[0] != NULL) lgp_all_free(perms[0]);
    for (k = 1; k < 5; ++k) {
      perms[k] = k == 1   ? rand_permp_agp(n, 9)
                 : k == 2 ? rand_permp_conveyor(n, 9)
                 : k == 3 ? rand_permp_exstack(n, 9, 200)
                          : rand_permp_exstack2(n, 9, 200);
      n_nulls += perms[k] == NULL;
      if (perms[k] != NULL) lgp_all_free(perms[k]);
    }
    b = triples_to_sparsemat(t);
    CHECK(b == NULL || b->nnz == THREADS);
    drop(b);
    b = geometric_random_graph(n, 0.3, DIRECTED_WEIGHTED, LOOPS, 1, NULL);
    CHECK(b == NULL || b->nnz >= n);
    drop(b);
    b = transpose_matrix(a);
    CHECK(b == NULL || b->nnz == a->nnz);
    drop(b);
    b = permute_matrix_exstack2(a, rows, rows, 200);
    CHECK(b == NULL || b->nnz == a->nnz);
    drop(b);
    while (n_blocks > 0) shmem_free(blocks[--n_blocks]);
  }
  CHECK(n_nulls > 0);
  drop(a);
  clear_triples(t);
  free(t);
  lgp_all_free(rows);
}

int main(int argc, char** argv) {
  const int64_t sizes[][2] = {{0, 0}, {1, 1}, {2, 5}, {5, 2}, {3, 0}, {40, 31}, {150, 170}};
  size_t i;
  lgp_init(argc, argv);
  for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    move_all(sizes[i][0], sizes[i][1], 0);
    move_all(sizes[i][0], sizes[i][1], 1);
  }
  for (i = 0; i < 4; ++i) permutations(i == 0 ? 0 : i == 1 ? 1 : i == 2 ? 10 : 1999);
  are_uniform();
  triangles();
  remote_access();
  huge();
  little_memory();
  lgp_barrier();
  if (MYTHREAD == 0) printf("passed\n");
  lgp_finalize();
  return 0;
}
