/* Kernels of bale over exstack: rounds of pushes, an exchange in which all PEs take part, and pops. */
#include <exstack.h>
#include <spmat.h>

#include "kernels_delta.h"
#include "kernels_main.h"
#include "kernels_plans.h"

enum { n_buffered = 16 };

static exstack_t* make(size_t size) {
  exstack_t* e = exstack_init(n_buffered, size);
  CHECK(e != NULL);
  return e;
}

static void finish(exstack_t* e) {
  exstack_clear(e);
  free(e);
}

static void histogram(SHARED int64_t* counts, const int64_t* index, int64_t n) {
  int64_t* mine = lgp_local_part(int64_t, counts);
  exstack_t* e = make(sizeof(int64_t));
  int64_t i = 0, at;
  while (exstack_proceed(e, i == n)) {
    for (; i < n; ++i) {
      at = index[i] / THREADS;
      if (!exstack_push(e, &at, index[i] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &at, NULL)) ++mine[at];
  }
  finish(e);
}

/* Each round answers at once: there is as much room for replies as for requests. */
static void index_gather(int64_t* target, SHARED int64_t* table, const int64_t* index, int64_t n) {
  const int64_t* mine = lgp_local_part(int64_t, table);
  exstack_t* e = make(sizeof(packet));
  int64_t i = 0, from;
  packet p;
  while (exstack_proceed(e, i == n)) {
    for (; i < n; ++i) {
      p.place = i, p.value = index[i] / THREADS;
      if (!exstack_push(e, &p, index[i] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, &from)) {
      p.value = mine[p.value];
      CHECK(exstack_push(e, &p, from) > 0);
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) target[p.place] = p.value;
  }
  finish(e);
}

static SHARED int64_t* randperm(int64_t n) {
  SHARED int64_t* perm = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  exstack_t* e = make(sizeof(packet));
  darts_game game = begin_darts(n);
  int64_t i = 0, n_packed, begin, pe, from;
  packet p;
  while (exstack_proceed(e, all_stick(&game))) {
    for (; has_dart(&game); next_dart(&game)) {
      p = dart(&game, &pe);
      if (!exstack_push(e, &p, pe)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, &from)) {
      p.value = hit_board(&game, p);
      CHECK(exstack_push(e, &p, from) > 0);
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) take_reply(&game, p.value);
  }
  exstack_reset(e);
  begin = pack_board(&game, &n_packed);
  while (exstack_proceed(e, i == n_packed)) {
    for (; i < n_packed; ++i) {
      p.place = (begin + i) / THREADS, p.value = game.board[i];
      if (!exstack_push(e, &p, (begin + i) % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) lgp_local_part(int64_t, perm)[p.place] = p.value;
  }
  end_darts(&game);
  finish(e);
  return perm;
}

static sparsemat_t* permute(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns) {
  const int64_t* to = lgp_local_part(int64_t, rows);
  exstack_t* e = make(sizeof(packet));
  int64_t *counts = (int64_t*)zeros(a->lnumrows, sizeof(int64_t)), i = 0;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p;
  while (exstack_proceed(e, i == a->lnumrows)) {
    for (; i < a->lnumrows; ++i) {
      p.place = to[i] / THREADS, p.value = a->loffset[i + 1] - a->loffset[i];
      if (!exstack_push(e, &p, to[i] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) counts[p.place] = p.value;
  }
  exstack_reset(e);
  result = matrix_of_counts(a->numrows, a->numcols, counts);
  while (exstack_proceed(e, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = to[its.row] / THREADS, p.value = a->lnonzero[its.k];
      if (!exstack_push(e, &p, to[its.row] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) append(&result, p);
  }
  finish(e);
  return complete_renamed(&result, columns, index_gather);
}

static sparsemat_t* transpose(sparsemat_t* a) {
  const int64_t n_cols_here = (a->numcols + THREADS - 1 - MYTHREAD) / THREADS;
  exstack_t* e = make(sizeof(int64_t));
  int64_t *counts = (int64_t*)zeros(n_cols_here, sizeof(int64_t)), k = 0, col;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p;
  while (exstack_proceed(e, k == a->lnnz)) {
    for (; k < a->lnnz; ++k) {
      col = a->lnonzero[k] / THREADS;
      if (!exstack_push(e, &col, a->lnonzero[k] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &col, NULL)) ++counts[col];
  }
  finish(e);
  result = matrix_of_counts(a->numcols, a->numrows, counts);
  e = make(sizeof(packet));
  while (exstack_proceed(e, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = a->lnonzero[its.k] / THREADS, p.value = its.row * THREADS + MYTHREAD;
      if (!exstack_push(e, &p, a->lnonzero[its.k] % THREADS)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) append(&result, p);
  }
  finish(e);
  return complete_matrix(&result);
}

static void toposort(sparsemat_t* a, sparsemat_t* transpose_of_a, SHARED int64_t* rows, SHARED int64_t* columns) {
  exstack_t* e = make(sizeof(step));
  sorting its = begin_sorting(a, transpose_of_a);
  int64_t pe;
  step s;
  while (exstack_proceed(e, is_sorted(&its))) {
    for (; has_step(&its, &s, &pe); next_step(&its, &s)) {
      if (!exstack_push(e, &s, pe)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &s, NULL)) take_step(&its, &s);
  }
  end_sorting(&its, rows, columns);
  finish(e);
}

static int64_t triangles(sparsemat_t* lower, sparsemat_t* upper, bool by_upper) {
  exstack_t* e = make(sizeof(packet));
  wedges its = all_wedges(lower, upper, by_upper);
  int64_t n = 0, pe;
  packet p;
  while (exstack_proceed(e, !has_wedge(&its, &p, &pe))) {
    for (; has_wedge(&its, &p, &pe); next_wedge(&its)) {
      if (!exstack_push(e, &p, pe)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &p, NULL)) n += is_closed(&its, p);
  }
  finish(e);
  return lgp_reduce_add_l(n);
}

static void relax_edges(exstack_t* e, buckets* its) {
  int64_t pe;
  relaxation r;
  while (exstack_proceed(e, !has_relaxation(its, &r, &pe))) {
    for (; has_relaxation(its, &r, &pe); next_relaxation(its)) {
      if (!exstack_push(e, &r, pe)) break;
    }
    exstack_exchange(e);
    while (exstack_pop(e, &r, NULL)) relax(its, &r);
  }
  exstack_reset(e);
}

static void sssp(sparsemat_t* a, int64_t source, SHARED double* distance) {
  exstack_t* e = make(sizeof(relaxation));
  buckets its = begin_buckets(a, source, distance);
  int64_t bucket;
  for (bucket = first_bucket(&its); bucket >= 0; bucket = first_bucket(&its)) {
    while (open_bucket(&its, bucket)) relax_edges(e, &its);
    close_bucket(&its);
    relax_edges(e, &its);
  }
  end_buckets(&its);
  finish(e);
}

int main(int argc, char* argv[]) {
  const kernels all = {"exstack", histogram, index_gather, randperm, permute, transpose,
                       toposort,  triangles, sssp,         NULL,     NULL,    NULL};
  return run_kernels(&all, argc, argv);
}
