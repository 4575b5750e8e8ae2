/* Kernels as programs of raw OpenSHMEM: atomics, puts and gets of single elements, counters on PE 0, static variables,
   and a header of their own in place of bale's. */
#include "own_bale.h"

#include "kernels_dealt.h"

static void histogram(int64_t* counts, const int64_t* index, int64_t n) {
  const int n_pes = shmem_n_pes();
  int64_t i;
  for (i = 0; i < n; ++i) shmem_int64_atomic_inc(&counts[index[i] / n_pes], (int)(index[i] % n_pes));
  shmem_barrier_all();
}

static void index_gather(int64_t* target, int64_t* table, const int64_t* index, int64_t n) {
  const int n_pes = shmem_n_pes();
  int64_t i;
  for (i = 0; i < n; ++i) {
    if (i % 2 == 0) target[i] = shmem_int64_g(&table[index[i] / n_pes], (int)(index[i] % n_pes));
    else shmem_int64_get_nbi(&target[i], &table[index[i] / n_pes], 1, (int)(index[i] % n_pes));
  }
  shmem_quiet();
  shmem_barrier_all();
}

static int64_t* randperm(int64_t n) {
  const int n_pes = shmem_n_pes(), me = shmem_my_pe();
  const int64_t n_board = 2 * n;
  int64_t *board = filled(n_board, -1), *perm = filled(n, -1), i, to = 0;
  srand((unsigned)me + 7);
  for (i = me; i < n; i += n_pes) {
    int64_t at;
    do {
      at = rand() % n_board;
    } while (shmem_long_atomic_compare_swap((long*)&board[at / n_pes], -1, (long)i, (int)(at % n_pes)) != -1);
  }
  shmem_barrier_all();
  for (i = me; i < n_board; i += n_pes) to += board[i / n_pes] >= 0;
  to = lgp_prior_add_l(to);
  for (i = me; i < n_board; i += n_pes) {
    if (board[i / n_pes] < 0) continue;
    shmem_int64_p(&perm[to / n_pes], board[i / n_pes], (int)(to % n_pes));
    ++to;
  }
  shmem_barrier_all();
  shmem_free(board);
  return perm;
}

/* Rows move by one put each, then their columns are renamed at the new place. */
static sparsemat_t* permute(sparsemat_t* a, int64_t* rows, int64_t* columns) {
  const int n_pes = shmem_n_pes();
  int64_t *counts = filled(a->numrows, 0), i, k;
  sparsemat_t* result;
  for (i = 0; i < a->lnumrows; ++i) shmem_int64_p(&counts[rows[i] / n_pes], rowcount_l(a, i), (int)(rows[i] % n_pes));
  result = matrix_of_counts(a->numrows, a->numcols, counts);
  for (i = 0; i < a->lnumrows; ++i) {
    const int pe = (int)(rows[i] % n_pes);
    const int64_t to = shmem_int64_g(&result->offset[rows[i] / n_pes], pe);
    shmem_int64_put_nbi(&result->nonzero[to], &a->lnonzero[a->loffset[i]], (size_t)rowcount_l(a, i), pe);
  }
  shmem_barrier_all();
  for (k = 0; k < result->lnnz; ++k) {
    const int64_t col = result->lnonzero[k];
    result->lnonzero[k] = shmem_int64_g(&columns[col / n_pes], (int)(col % n_pes));
  }
  shmem_barrier_all();
  return result;
}

static sparsemat_t* transpose(sparsemat_t* a) {
  const int n_pes = shmem_n_pes();
  int64_t *counts = filled(a->numcols, 0), *next, i, k;
  sparsemat_t* result;
  for (k = 0; k < a->lnnz; ++k)
    shmem_int64_atomic_add(&counts[a->lnonzero[k] / n_pes], 1, (int)(a->lnonzero[k] % n_pes));
  result = matrix_of_counts(a->numcols, a->numrows, counts);
  next = filled(a->numcols, 0);
  for (i = 0; i < result->lnumrows; ++i) next[i] = result->loffset[i];
  shmem_barrier_all();
  for (i = 0; i < a->lnumrows; ++i) {
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      const int pe = (int)(a->lnonzero[k] % n_pes);
      const int64_t to = shmem_int64_atomic_fetch_inc(&next[a->lnonzero[k] / n_pes], pe);
      shmem_int64_p(&result->nonzero[to], i * n_pes + MYTHREAD, pe);
    }
  }
  shmem_barrier_all();
  shmem_free(next);
  return result;
}

/* Rounds: rows with one column left take the last places. */
static void toposort(sparsemat_t* a, sparsemat_t* turned, int64_t* rows, int64_t* columns) {
  const int n_pes = shmem_n_pes(), me = shmem_my_pe();
  int64_t *n_left = filled(a->numrows, 0), *sum_left = filled(a->numrows, 0), *n_placed = filled(n_pes, 0);
  int64_t *ready = (int64_t*)zeros(a->lnumrows, sizeof(int64_t)), n_ready, n_mine = 0, i, k;
  for (i = 0; i < a->lnumrows; ++i) {
    n_left[i] = rowcount_l(a, i);
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) sum_left[i] += a->lnonzero[k];
  }
  shmem_barrier_all();
  while (lgp_reduce_add_l(n_mine) < a->numrows) {
    for (i = n_ready = 0; i < a->lnumrows; ++i) {
      if (n_left[i] == 1) ready[n_ready++] = i;
    }
    shmem_barrier_all();
    for (i = 0; i < n_ready; ++i) {
      const int64_t col = shmem_int64_atomic_fetch(&sum_left[ready[i]], me), at = col / n_pes;
      const int64_t place = a->numrows - 1 - shmem_int64_atomic_fetch_inc(n_placed, 0);
      const int pe = (int)(col % n_pes);
      const int64_t begin = shmem_int64_g(&turned->offset[at], pe), end = shmem_int64_g(&turned->offset[at + 1], pe);
      rows[ready[i]] = place;
      shmem_int64_p(&columns[at], place, pe);
      for (k = begin; k < end; ++k) {
        const int64_t row = shmem_int64_g(&turned->nonzero[k], pe);
        shmem_int64_atomic_add(&sum_left[row / n_pes], -col, (int)(row % n_pes));
        shmem_int64_atomic_add(&n_left[row / n_pes], -1, (int)(row % n_pes));
      }
    }
    n_mine += n_ready;
    shmem_barrier_all();
  }
  shmem_free(n_placed);
  shmem_free(sum_left);
  shmem_free(n_left);
  free(ready);
}

static void read_row(row_copy* into, sparsemat_t* a, int64_t row) {
  const int pe = (int)(row % THREADS);
  int64_t ends[2];
  shmem_get64(ends, &a->offset[row / THREADS], 2, pe);
  into->n = ends[1] - ends[0];
  shmem_int64_get(into->cols, &a->nonzero[ends[0]], (size_t)into->n, pe);
}

/* Bellman and Ford. Bits of distances have their order, since these are not negative. */
static void sssp(sparsemat_t* a, int64_t source, double* distance) {
  const int n_pes = shmem_n_pes(), me = shmem_my_pe();
  int64_t has_changed = 1, i, k;
  for (i = 0; i < a->lnumrows; ++i) distance[i] = i * n_pes + me == source ? 0 : INFINITY;
  shmem_barrier_all();
  while (lgp_reduce_max_l(has_changed)) {
    has_changed = 0;
    for (i = 0; i < a->lnumrows; ++i) {
      const double here = shmem_double_g(&distance[i], me);
      for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        const int pe = (int)(a->lnonzero[k] % n_pes);
        int64_t* const at = (int64_t*)&distance[a->lnonzero[k] / n_pes];
        const double next = here + a->lvalue[k];
        int64_t bits, old = shmem_int64_atomic_fetch(at, pe), found;
        memcpy(&bits, &next, sizeof bits);
        for (; bits < old; old = found) {
          found = shmem_int64_atomic_compare_swap(at, old, bits, pe);
          if (found != old) continue;
          has_changed = 1;
          break;
        }
      }
    }
  }
  shmem_barrier_all();
}

/* Ranks are read at the PE that has them, and renewed after a barrier. */
static void pagerank(sparsemat_t* a, int n_iterations, double* rank) {
  const int n_pes = shmem_n_pes();
  double* next = (double*)zeros(a->lnumrows, sizeof(double));
  double* shares = (double*)lgp_all_alloc(a->numrows, sizeof(double));
  int64_t i, k;
  for (i = 0; i < a->lnumrows; ++i) rank[i] = 1.0 / (double)a->numrows;
  for (; n_iterations > 0; --n_iterations) {
    for (i = 0; i < a->lnumrows; ++i) shares[i] = rank[i] / (double)rowcount_l(a, i);
    shmem_barrier_all();
    for (i = 0; i < a->lnumrows; ++i) {
      double sum = 0;
      for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        sum += shmem_double_g(&shares[a->lnonzero[k] / n_pes], (int)(a->lnonzero[k] % n_pes));
      }
      next[i] = 0.15 / (double)a->numrows + 0.85 * sum;
    }
    shmem_barrier_all();
    for (i = 0; i < a->lnumrows; ++i) rank[i] = next[i];
  }
  shmem_free(shares);
  free(next);
}

/* Each triangle is found at its highest vertex, which counts it at all three. */
static void centrality(sparsemat_t* a, double* result) {
  const int n_pes = shmem_n_pes();
  row_copy other = {(int64_t*)zeros(a->numcols, sizeof(int64_t)), 0};
  int64_t *n_around = filled(a->numrows, 0), *n_all = filled(n_pes, 0), i, k, at;
  for (i = 0; i < a->lnumrows; ++i) {
    const int64_t u = i * n_pes + MYTHREAD;
    for (k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < u; ++k) {
      const int64_t v = a->lnonzero[k];
      read_row(&other, a, v);
      for (at = a->loffset[i]; at < k; ++at) {
        const int64_t x = a->lnonzero[at];
        if (!holds(other.cols, other.cols + other.n, x)) continue;
        shmem_int64_atomic_inc(n_all, 0);
        shmem_int64_atomic_inc(&n_around[i], (int)(u % n_pes));
        shmem_int64_atomic_inc(&n_around[v / n_pes], (int)(v % n_pes));
        shmem_int64_atomic_inc(&n_around[x / n_pes], (int)(x % n_pes));
      }
    }
  }
  shmem_barrier_all();
  for (i = 0; i < a->lnumrows; ++i) {
    result[i] = (double)n_around[i] / 3;
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
      const int64_t u = a->lnonzero[k];
      const double n = (double)shmem_int64_g(&n_around[u / n_pes], (int)(u % n_pes));
      read_row(&other, a, u);
      result[i] += n_in_row(&other, a->lnonzero + a->loffset[i], a->lnonzero + a->loffset[i + 1]) > 0 ? n / 3 : n;
    }
    result[i] /= (double)shmem_int64_g(n_all, 0);
  }
  shmem_barrier_all();
  shmem_free(n_all);
  shmem_free(n_around);
  free(other.cols);
}

int main(int argc, char* argv[]) {
  const kernels all = {"shmem",  histogram, index_gather, randperm, permute, transpose,
                       toposort, triangles, sssp,         pagerank, jaccard, centrality};
  int status;
  shmem_init();
  status = check_kernels(&all, argc, argv);
  shmem_finalize();
  return status;
}
