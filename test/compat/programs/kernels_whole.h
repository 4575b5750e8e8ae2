/* Matrices that one PE holds as a whole: what kernels get as input, and what their results are compared with.
   Includers bring sparsemat_t and lgp_*, bale's or their own. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_WHOLE_H
#define SHOAL_TEST_COMPAT_KERNELS_WHOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct {
  int64_t n_rows, n_cols, nnz;
  int64_t* offset; /* by row, and the end */
  int64_t* col;
  double* value;
} whole;

static inline uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) + c + 1;
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static inline void* zeros(int64_t n, size_t size) {
  void* p = calloc((size_t)n + 1, size);
  CHECK(p != NULL);
  return p;
}

static inline whole make_whole(int64_t n_rows, int64_t n_cols, int64_t nnz) {
  whole a = {n_rows, n_cols, nnz, NULL, NULL, NULL};
  a.offset = (int64_t*)zeros(n_rows, sizeof(int64_t));
  a.col = (int64_t*)zeros(nnz, sizeof(int64_t));
  a.value = (double*)zeros(nnz, sizeof(double));
  return a;
}

static inline void free_whole(whole a) { free(a.offset), free(a.col), free(a.value); }

static inline void free_matrix(sparsemat_t* a) {
  clear_matrix(a);
  free(a);
}

/* Rows are sorted. */
static inline whole transposed(const whole* a) {
  whole t = make_whole(a->n_cols, a->n_rows, a->nnz);
  int64_t* next = (int64_t*)zeros(a->n_cols, sizeof(int64_t));
  int64_t row, k;
  for (k = 0; k < a->nnz; ++k) ++t.offset[a->col[k] + 1];
  for (row = 0; row < t.n_rows; ++row) t.offset[row + 1] += t.offset[row];
  memcpy(next, t.offset, (size_t)t.n_rows * sizeof(int64_t));
  for (row = 0; row < a->n_rows; ++row) {
    for (k = a->offset[row]; k < a->offset[row + 1]; ++k) {
      const int64_t to = next[a->col[k]]++;
      t.col[to] = row, t.value[to] = a->value[k];
    }
  }
  free(next);
  return t;
}

/* Sorts its rows. */
static inline whole sorted(whole a) {
  whole t = transposed(&a);
  free_whole(a);
  a = transposed(&t);
  free_whole(t);
  return a;
}

/* By remote reads. Rows are sorted. */
static inline whole read_whole(sparsemat_t* a) {
  whole result = make_whole(a->numrows, a->numcols, a->nnz);
  int64_t row, k, to = 0;
  lgp_barrier();
  for (row = 0; row < a->numrows; ++row) {
    const int64_t end = lgp_get_int64(a->offset, row + THREADS);
    for (k = lgp_get_int64(a->offset, row); k < end; ++k, ++to) {
      CHECK(to < a->nnz);
      result.col[to] = lgp_get_int64(a->nonzero, k * THREADS + row % THREADS);
      CHECK(result.col[to] >= 0 && result.col[to] < a->numcols);
      if (a->value != NULL) result.value[to] = lgp_get_double(a->value, k * THREADS + row % THREADS);
    }
    result.offset[row + 1] = to;
  }
  CHECK(to == a->nnz);
  lgp_barrier();
  return sorted(result);
}

/* Deals the rows. Collective. */
static inline sparsemat_t* deal(const whole* a, int is_weighted) {
  int64_t n_here = 0, row, k, to = 0;
  sparsemat_t* result;
  for (row = MYTHREAD; row < a->n_rows; row += THREADS) n_here += a->offset[row + 1] - a->offset[row];
  result = init_matrix(a->n_rows, a->n_cols, n_here, is_weighted);
  CHECK(result != NULL && result->nnz == a->nnz && result->lnnz == n_here);
  result->loffset[0] = 0;
  for (row = MYTHREAD; row < a->n_rows; row += THREADS) {
    for (k = a->offset[row]; k < a->offset[row + 1]; ++k, ++to) {
      result->lnonzero[to] = a->col[k];
      if (is_weighted) result->lvalue[to] = a->value[k];
    }
    result->loffset[row / THREADS + 1] = to;
  }
  lgp_barrier();
  return result;
}

static inline whole permuted(const whole* a, const int64_t* rows, const int64_t* cols) {
  whole result = make_whole(a->n_rows, a->n_cols, a->nnz);
  int64_t row, k;
  for (row = 0; row < a->n_rows; ++row) result.offset[rows[row] + 1] = a->offset[row + 1] - a->offset[row];
  for (row = 0; row < a->n_rows; ++row) result.offset[row + 1] += result.offset[row];
  for (row = 0; row < a->n_rows; ++row) {
    for (k = a->offset[row]; k < a->offset[row + 1]; ++k) {
      const int64_t to = result.offset[rows[row]] + k - a->offset[row];
      result.col[to] = cols[a->col[k]], result.value[to] = a->value[k];
    }
  }
  return sorted(result);
}

/* The graph whose strictly lower half this is. */
static inline whole both_halves(const whole* lower) {
  whole upper = transposed(lower), result = make_whole(lower->n_rows, lower->n_rows, 2 * lower->nnz);
  int64_t row, k, to = 0;
  for (row = 0; row < lower->n_rows; ++row) {
    for (k = lower->offset[row]; k < lower->offset[row + 1]; ++k) result.col[to++] = lower->col[k];
    for (k = upper.offset[row]; k < upper.offset[row + 1]; ++k) result.col[to++] = upper.col[k];
    result.offset[row + 1] = to;
  }
  free_whole(upper);
  return result;
}

static inline bool is_same(const whole* a, const whole* b) {
  return a->n_rows == b->n_rows && a->n_cols == b->n_cols && a->nnz == b->nnz &&
         memcmp(a->offset, b->offset, (size_t)(a->n_rows + 1) * sizeof(int64_t)) == 0 &&
         memcmp(a->col, b->col, (size_t)a->nnz * sizeof(int64_t)) == 0 &&
         memcmp(a->value, b->value, (size_t)a->nnz * sizeof(double)) == 0;
}

static inline bool holds(const int64_t* first, const int64_t* last, int64_t col) {
  while (first != last && *first < col) ++first;
  return first != last && *first == col;
}

/* How many columns two sorted rows share. */
static inline int64_t n_common(const whole* a, int64_t u, int64_t v) {
  int64_t n = 0, k;
  for (k = a->offset[u]; k < a->offset[u + 1]; ++k)
    n += holds(a->col + a->offset[v], a->col + a->offset[v + 1], a->col[k]);
  return n;
}

/* Of a permutation; shuffles 0 to n - 1, the same on all PEs. */
static inline int64_t* shuffled(int64_t n, uint64_t seed) {
  int64_t* result = (int64_t*)zeros(n, sizeof(int64_t));
  int64_t i;
  for (i = 0; i < n; ++i) {
    const int64_t j = (int64_t)(hash(seed, 5, (uint64_t)i) % (uint64_t)(i + 1));
    result[i] = result[j];
    result[j] = i;
  }
  return result;
}

/* A dealt array of numbers that all PEs have. Collective. */
static inline SHARED int64_t* deal_numbers(const int64_t* from, int64_t n) {
  SHARED int64_t* result = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  int64_t i;
  CHECK(result != NULL);
  for (i = MYTHREAD; i < n; i += THREADS) lgp_local_part(int64_t, result)[i / THREADS] = from[i];
  lgp_barrier();
  return result;
}

#endif
