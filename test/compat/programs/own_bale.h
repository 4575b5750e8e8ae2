/* What programs of raw OpenSHMEM bring in place of bale's headers: functions and types of the same names, which are
   theirs. They link none of bale's libraries. */
#ifndef SHOAL_TEST_COMPAT_OWN_BALE_H
#define SHOAL_TEST_COMPAT_OWN_BALE_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARED
#define THREADS shmem_n_pes()
#define MYTHREAD shmem_my_pe()
#define lgp_barrier() shmem_barrier_all()
#define lgp_local_part(t, p) ((t*)(p))
#define lgp_all_alloc(n, size) shmem_malloc((((size_t)(n) + (size_t)THREADS - 1) / (size_t)THREADS) * (size_t)(size))
#define lgp_all_free(p) shmem_free(p)

typedef struct sparsemat_t {
  int64_t local, numrows, lnumrows, numcols, nnz, lnnz;
  int64_t *offset, *loffset, *nonzero, *lnonzero;
  double *value, *lvalue;
} sparsemat_t;

typedef enum { DIRECTED, UNDIRECTED, DIRECTED_WEIGHTED, UNDIRECTED_WEIGHTED } edge_type;
typedef enum { NOLOOPS, LOOPS } self_loops;

int64_t lgp_get_int64(const int64_t* a, int64_t i) { return shmem_int64_g(a + i / THREADS, (int)(i % THREADS)); }
double lgp_get_double(const double* a, int64_t i) { return shmem_double_g(a + i / THREADS, (int)(i % THREADS)); }
void lgp_put_int64(int64_t* a, int64_t i, int64_t v) { shmem_int64_p(a + i / THREADS, v, (int)(i % THREADS)); }

/* Sources on the stack, one work array for all calls, none of them cleaned between. */
static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static long reduce_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long collect_sync[SHMEM_COLLECT_SYNC_SIZE];

int64_t lgp_reduce_add_l(int64_t value) {
  static long all;
  long mine = value;
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, THREADS, reduce_work, reduce_sync);
  return all;
}

int64_t lgp_reduce_max_l(int64_t value) {
  static long all;
  long mine = value;
  shmem_long_max_to_all(&all, &mine, 1, 0, 0, THREADS, reduce_work, reduce_sync);
  return all;
}

/* The sum over the PEs before this one. */
int64_t lgp_prior_add_l(int64_t value) {
  int64_t* all = (int64_t*)shmem_malloc((size_t)(THREADS + 1) * sizeof(int64_t));
  int64_t sum = 0;
  int pe;
  all[THREADS] = value;
  shmem_fcollect64(all, all + THREADS, 1, 0, 0, THREADS, collect_sync);
  for (pe = 0; pe < MYTHREAD; ++pe) sum += all[pe];
  shmem_free(all);
  return sum;
}

sparsemat_t* init_matrix(int64_t n_rows, int64_t n_cols, int64_t nnz_here, int is_weighted) {
  sparsemat_t* a = (sparsemat_t*)calloc(1, sizeof(sparsemat_t));
  const int64_t most = lgp_reduce_max_l(nnz_here);
  a->numrows = n_rows, a->numcols = n_cols;
  a->lnumrows = (n_rows + THREADS - MYTHREAD - 1) / THREADS;
  a->nnz = lgp_reduce_add_l(nnz_here), a->lnnz = nnz_here;
  a->offset = a->loffset = (int64_t*)lgp_all_alloc(n_rows + THREADS, sizeof(int64_t));
  a->nonzero = a->lnonzero = (int64_t*)shmem_malloc((size_t)(most + 1) * sizeof(int64_t));
  if (is_weighted) a->value = a->lvalue = (double*)shmem_malloc((size_t)(most + 1) * sizeof(double));
  return a;
}

void clear_matrix(sparsemat_t* a) {
  if (a->value != NULL) shmem_free(a->value);
  shmem_free(a->nonzero);
  shmem_free(a->offset);
}

int64_t rowcount_l(sparsemat_t* a, int64_t row) { return a->loffset[row + 1] - a->loffset[row]; }

/* Two passes: how many, and which. Each PE has random numbers of its own. */
sparsemat_t* erdos_renyi_random_graph(int64_t n, double p, edge_type type, self_loops loops, uint64_t seed) {
  const int is_weighted = type == DIRECTED_WEIGHTED || type == UNDIRECTED_WEIGHTED;
  const int is_lower = type == UNDIRECTED || type == UNDIRECTED_WEIGHTED;
  sparsemat_t* a = NULL;
  int64_t row, col, nnz = 0, pass;
  for (pass = 0; pass < 2; ++pass) {
    srand((unsigned)seed + (unsigned)MYTHREAD);
    if (pass == 1) a = init_matrix(n, n, nnz, is_weighted);
    if (pass == 1) a->loffset[0] = 0;
    nnz = 0;
    for (row = MYTHREAD; row < n; row += THREADS) {
      for (col = 0; col < (is_lower ? row + 1 : n); ++col) {
        const double draw = rand() / (RAND_MAX + 1.0), weight = rand() / (RAND_MAX + 1.0);
        if (row == col ? loops == NOLOOPS : draw >= p) continue;
        if (pass == 1) a->lnonzero[nnz] = col;
        if (pass == 1 && is_weighted) a->lvalue[nnz] = weight;
        ++nnz;
      }
      if (pass == 1) a->loffset[row / THREADS + 1] = nnz;
    }
  }
  shmem_barrier_all();
  return a;
}

#endif
