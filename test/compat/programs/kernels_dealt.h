/* What kernels of one-sided access share, whether lgp_* are the library's or the program's own: dealt arrays, and the
   loops over whole rows. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_DEALT_H
#define SHOAL_TEST_COMPAT_KERNELS_DEALT_H

#include "kernels_checks.h"

/* A dealt array whose elements have this value. */
static SHARED int64_t* filled(int64_t n, int64_t value) {
  SHARED int64_t* result = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  int64_t i;
  for (i = 0; i < (n + THREADS - 1) / THREADS; ++i) lgp_local_part(int64_t, result)[i] = value;
  lgp_barrier();
  return result;
}

/* Of as many nonzeros in each row as `counts` says; that is freed. */
static sparsemat_t* matrix_of_counts(int64_t n_rows, int64_t n_cols, SHARED int64_t* counts) {
  const int64_t* mine = lgp_local_part(int64_t, counts);
  sparsemat_t* a;
  int64_t i, sum = 0;
  lgp_barrier();
  for (i = MYTHREAD; i < n_rows; i += THREADS) sum += mine[i / THREADS];
  a = init_matrix(n_rows, n_cols, sum, 0);
  a->loffset[0] = 0;
  for (i = 0; i < a->lnumrows; ++i) a->loffset[i + 1] = a->loffset[i] + mine[i];
  lgp_barrier();
  lgp_all_free(counts);
  return a;
}

/* A row of any PE, copied. The program says how. */
typedef struct {
  int64_t* cols;
  int64_t n;
} row_copy;

static void read_row(row_copy* into, sparsemat_t* a, int64_t row);

static int64_t n_in_row(const row_copy* row, const int64_t* first, const int64_t* last) {
  int64_t n = 0;
  for (; first != last; ++first) n += holds(row->cols, row->cols + row->n, *first);
  return n;
}

static int64_t triangles(sparsemat_t* lower, sparsemat_t* upper, bool by_upper) {
  sparsemat_t* of = by_upper ? upper : lower;
  row_copy other = {(int64_t*)zeros(lower->numcols, sizeof(int64_t)), 0};
  int64_t i, k, n = 0;
  for (i = 0; i < lower->lnumrows; ++i) {
    for (k = lower->loffset[i]; k < lower->loffset[i + 1]; ++k) {
      read_row(&other, of, lower->lnonzero[k]);
      n += n_in_row(&other, of->lnonzero + of->loffset[i], of->lnonzero + of->loffset[i + 1]);
    }
  }
  free(other.cols);
  return lgp_reduce_add_l(n);
}

static void jaccard(sparsemat_t* a, double* result) {
  row_copy other = {(int64_t*)zeros(a->numcols, sizeof(int64_t)), 0};
  int64_t i, k;
  for (i = 0; i < a->lnumrows; ++i) {
    const int64_t *first = a->lnonzero + a->loffset[i], *last = a->lnonzero + a->loffset[i + 1];
    for (k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < i * THREADS + MYTHREAD; ++k) {
      int64_t n;
      read_row(&other, a, a->lnonzero[k]);
      n = n_in_row(&other, first, last);
      result[k] = (double)n / (double)(last - first + other.n - n);
    }
  }
  lgp_barrier();
  free(other.cols);
}

#endif
