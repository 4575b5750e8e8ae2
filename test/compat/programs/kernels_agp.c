/* Kernels of bale and HClib-Actor by atomics, gets and puts of single elements of dealt arrays. */
#include <spmat.h>

#include "kernels_dealt.h"
#include "kernels_main.h"

static void histogram(SHARED int64_t* counts, const int64_t* index, int64_t n) {
  int64_t i;
  for (i = 0; i < n; ++i) lgp_atomic_add(counts, index[i], 1);
  lgp_barrier();
}

static void index_gather(int64_t* target, SHARED int64_t* table, const int64_t* index, int64_t n) {
  int64_t i;
  for (i = 0; i < n; ++i) target[i] = lgp_get_int64(table, index[i]);
  lgp_barrier();
}

/* Throws each number at a board until it sticks; then the board is packed. */
static SHARED int64_t* randperm(int64_t n) {
  const int64_t n_board = 2 * n;
  SHARED int64_t* board = filled(n_board, -1);
  SHARED int64_t* perm = filled(n, -1);
  int64_t i, n_here = 0, to;
  lgp_rand_seed(99);
  for (i = MYTHREAD; i < n; i += THREADS) {
    while (lgp_cmp_and_swap(board, lgp_rand_int64(n_board), -1, i) != -1) {
    }
  }
  lgp_barrier();
  for (i = MYTHREAD; i < n_board; i += THREADS) n_here += lgp_local_part(int64_t, board)[i / THREADS] >= 0;
  to = lgp_prior_add_l(n_here);
  for (i = MYTHREAD; i < n_board; i += THREADS) {
    const int64_t value = lgp_local_part(int64_t, board)[i / THREADS];
    if (value >= 0) lgp_put_int64(perm, to++, value);
  }
  lgp_barrier();
  lgp_all_free(board);
  return perm;
}

static sparsemat_t* permute(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns) {
  const int64_t* to = lgp_local_part(int64_t, rows);
  SHARED int64_t* counts = filled(a->numrows, 0);
  sparsemat_t* result;
  int64_t i, k;
  for (i = 0; i < a->lnumrows; ++i) lgp_put_int64(counts, to[i], rowcount_l(a, i));
  result = matrix_of_counts(a->numrows, a->numcols, counts);
  for (i = 0; i < a->lnumrows; ++i) {
    const int64_t begin = lgp_get_int64(result->offset, to[i]) - a->loffset[i];
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      const int64_t col = lgp_get_int64(columns, a->lnonzero[k]);
      lgp_put_int64(result->nonzero, (begin + k) * THREADS + to[i] % THREADS, col);
    }
  }
  lgp_barrier();
  return result;
}

static sparsemat_t* transpose(sparsemat_t* a) {
  SHARED int64_t* counts = filled(a->numcols, 0);
  SHARED int64_t* next;
  sparsemat_t* result;
  int64_t i, k;
  for (k = 0; k < a->lnnz; ++k) lgp_atomic_add(counts, a->lnonzero[k], 1);
  result = matrix_of_counts(a->numcols, a->numrows, counts);
  next = filled(a->numcols, 0);
  for (i = 0; i < result->lnumrows; ++i) lgp_local_part(int64_t, next)[i] = result->loffset[i];
  lgp_barrier();
  for (i = 0; i < a->lnumrows; ++i) {
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      const int64_t col = a->lnonzero[k], at = lgp_fetch_and_inc(next, col);
      lgp_put_int64(result->nonzero, at * THREADS + col % THREADS, i * THREADS + MYTHREAD);
    }
  }
  lgp_barrier();
  lgp_all_free(next);
  return result;
}

/* In each round, the rows with one column left leave, last places first. */
static void toposort(sparsemat_t* a, sparsemat_t* transpose, SHARED int64_t* rows, SHARED int64_t* columns) {
  SHARED int64_t* n_left = filled(a->numrows, 0);
  SHARED int64_t* sum_left = filled(a->numrows, 0);
  SHARED int64_t* n_placed = filled(THREADS, 0); /* element 0 counts */
  int64_t* ready = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  int64_t i, k, n_ready, n_mine = 0;
  for (i = 0; i < a->lnumrows; ++i) {
    n_left[i] = rowcount_l(a, i);
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) sum_left[i] += a->lnonzero[k];
  }
  lgp_barrier();
  while (lgp_reduce_add_l(n_mine) < a->numrows) {
    for (i = n_ready = 0; i < a->lnumrows; ++i) {
      if (n_left[i] == 1) ready[n_ready++] = i;
    }
    CHECK(lgp_reduce_add_l(n_ready) > 0);
    for (i = 0; i < n_ready; ++i) {
      const int64_t row = ready[i] * THREADS + MYTHREAD, col = lgp_get_int64(sum_left, row);
      const int64_t end = lgp_get_int64(transpose->offset, col + THREADS);
      const int64_t place = a->numrows - 1 - lgp_fetch_and_inc(n_placed, 0);
      lgp_put_int64(rows, row, place);
      lgp_put_int64(columns, col, place);
      for (k = lgp_get_int64(transpose->offset, col); k < end; ++k) {
        const int64_t other = lgp_get_int64(transpose->nonzero, k * THREADS + col % THREADS);
        lgp_atomic_add(sum_left, other, -col);
        lgp_fetch_and_add(n_left, other, -1);
      }
    }
    n_mine += n_ready;
    lgp_barrier();
  }
  lgp_all_free(n_placed);
  lgp_all_free(sum_left);
  lgp_all_free(n_left);
  free(ready);
}

static void read_row(row_copy* into, sparsemat_t* a, int64_t row) {
  const int64_t begin = lgp_get_int64(a->offset, row);
  int64_t k;
  into->n = lgp_get_int64(a->offset, row + THREADS) - begin;
  for (k = 0; k < into->n; ++k) into->cols[k] = lgp_get_int64(a->nonzero, (begin + k) * THREADS + row % THREADS);
}

/* Bellman and Ford. Distances are not negative, so their bits have their order. */
static void sssp(sparsemat_t* a, int64_t source, SHARED double* distance) {
  int64_t has_changed = 1, i, k;
  for (i = 0; i < a->lnumrows; ++i) distance[i] = i * THREADS + MYTHREAD == source ? 0 : INFINITY;
  lgp_barrier();
  while (lgp_reduce_max_l(has_changed)) {
    has_changed = 0;
    for (i = 0; i < a->lnumrows; ++i) {
      const double here = lgp_get_double(distance, i * THREADS + MYTHREAD);
      for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        const double next = here + a->lvalue[k];
        double old = lgp_get_double(distance, a->lnonzero[k]);
        while (next < old) {
          int64_t bits, old_bits, found;
          memcpy(&bits, &next, sizeof bits), memcpy(&old_bits, &old, sizeof bits);
          found = lgp_cmp_and_swap((int64_t*)distance, a->lnonzero[k], old_bits, bits);
          if (found == old_bits) has_changed = 1;
          memcpy(&old, &found, sizeof old);
          if (found == old_bits) break;
        }
      }
    }
  }
  lgp_barrier();
}

static void pagerank(sparsemat_t* a, int n_iterations, SHARED double* rank) {
  d_array_t* next = init_d_array(a->numrows);
  int64_t i, k;
  int iteration;
  for (i = 0; i < a->lnumrows; ++i) rank[i] = 1.0 / (double)a->numrows;
  lgp_barrier();
  for (iteration = 0; iteration < n_iterations; ++iteration) {
    for (i = 0; i < a->lnumrows; ++i) {
      double sum = 0;
      for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        sum += lgp_get_double(rank, a->lnonzero[k]) / (double)rowcount_S(a, a->lnonzero[k]);
      }
      next->lentry[i] = 0.15 / (double)a->numrows + 0.85 * sum;
    }
    lgp_barrier();
    for (i = 0; i < a->lnumrows; ++i) rank[i] = next->lentry[i];
    lgp_barrier();
  }
  clear_d_array(next);
  free(next);
}

static void centrality(sparsemat_t* a, double* result) {
  row_copy other = {(int64_t*)zeros(a->numcols, sizeof(int64_t)), 0};
  SHARED int64_t* n_around = filled(a->numrows, 0);
  char* has_triangle = (char*)zeros(a->lnnz, 1);
  int64_t i, k, n_all = 0;
  for (i = 0; i < a->lnumrows; ++i) {
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      int64_t n;
      read_row(&other, a, a->lnonzero[k]);
      n = n_in_row(&other, a->lnonzero + a->loffset[i], a->lnonzero + a->loffset[i + 1]);
      has_triangle[k] = n > 0;
      n_around[i] += n; /* twice each */
    }
    n_around[i] /= 2;
    n_all += n_around[i];
  }
  n_all = lgp_reduce_add_l(n_all) / 3;
  for (i = 0; i < a->lnumrows; ++i) {
    result[i] = (double)n_around[i] / 3;
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      const double n = (double)lgp_get_int64(n_around, a->lnonzero[k]);
      result[i] += has_triangle[k] ? n / 3 : n;
    }
    result[i] /= (double)n_all;
  }
  lgp_barrier();
  lgp_all_free(n_around);
  free(other.cols), free(has_triangle);
}

int main(int argc, char* argv[]) {
  const kernels agp = {"agp",    histogram, index_gather, randperm, permute, transpose,
                       toposort, triangles, sssp,         pagerank, jaccard, centrality};
  return run_kernels(&agp, argc, argv);
}
