/* Kernels of bale over exstack2: pushes and pops without rounds; replies by a second one, which ends after the first.
   */
#include <exstack.h>
#include <spmat.h>

#include "kernels_delta.h"
#include "kernels_main.h"
#include "kernels_plans.h"

enum { n_buffered = 24 };

static exstack2_t* make(size_t size) {
  exstack2_t* e = exstack2_init(n_buffered, size);
  CHECK(e != NULL);
  return e;
}

static void finish(exstack2_t* e) {
  CHECK(e->all_done);
  exstack2_clear(e);
  free(e);
}

static void histogram(SHARED int64_t* counts, const int64_t* index, int64_t n) {
  int64_t* mine = lgp_local_part(int64_t, counts);
  exstack2_t* e = make(sizeof(int64_t));
  int64_t i = 0, at, from;
  while (exstack2_proceed(e, i == n)) {
    for (; i < n; ++i) {
      at = index[i] / THREADS;
      if (!exstack2_push(e, &at, index[i] % THREADS)) break;
    }
    while (exstack2_pop(e, &at, &from)) ++mine[at];
  }
  finish(e);
}

static void index_gather(int64_t* target, SHARED int64_t* table, const int64_t* index, int64_t n) {
  const int64_t* mine = lgp_local_part(int64_t, table);
  exstack2_t *requests = make(sizeof(packet)), *replies = make(sizeof(packet));
  int64_t i = 0, from;
  packet p;
  while (exstack2_proceed(requests, i == n) || exstack2_proceed(replies, requests->all_done)) {
    for (; i < n; ++i) {
      p.place = i, p.value = index[i] / THREADS;
      if (!exstack2_push(requests, &p, index[i] % THREADS)) break;
    }
    while (exstack2_pop(requests, &p, &from)) {
      p.value = mine[p.value];
      if (exstack2_push(replies, &p, from)) continue;
      exstack2_unpop(requests);
      break;
    }
    while (exstack2_pop(replies, &p, &from)) target[p.place] = p.value;
  }
  finish(replies);
  finish(requests);
}

static SHARED int64_t* randperm(int64_t n) {
  SHARED int64_t* perm = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  exstack2_t *throws = make(sizeof(packet)), *replies = make(sizeof(int64_t));
  darts_game game = begin_darts(n);
  int64_t i = 0, n_packed, begin, pe, from, reply;
  packet p;
  while (exstack2_proceed(throws, all_stick(&game)) || exstack2_proceed(replies, throws->all_done)) {
    for (; has_dart(&game); next_dart(&game)) {
      p = dart(&game, &pe);
      if (!exstack2_push(throws, &p, pe)) break;
    }
    while (exstack2_pop(throws, &p, &from)) {
      reply = hit_board(&game, p);
      if (exstack2_push(replies, &reply, from)) continue;
      unhit_board(&game, p, reply);
      exstack2_unpop(throws);
      break;
    }
    /* Throws end after all replies, so these must not wait for a proceed of their own. */
    for (pe = 0; pe < THREADS; ++pe) CHECK(exstack2_send(replies, pe, 0) == 1);
    while (exstack2_pop(replies, &reply, &from)) take_reply(&game, reply);
  }
  exstack2_reset(throws);
  finish(replies);
  begin = pack_board(&game, &n_packed);
  while (exstack2_proceed(throws, i == n_packed)) {
    for (; i < n_packed; ++i) {
      p.place = (begin + i) / THREADS, p.value = game.board[i];
      if (!exstack2_push(throws, &p, (begin + i) % THREADS)) break;
    }
    while (exstack2_pop(throws, &p, &from)) lgp_local_part(int64_t, perm)[p.place] = p.value;
  }
  end_darts(&game);
  finish(throws);
  return perm;
}

static sparsemat_t* permute(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns) {
  const int64_t* to = lgp_local_part(int64_t, rows);
  exstack2_t* e = make(sizeof(packet));
  int64_t *counts = (int64_t*)zeros(a->lnumrows, sizeof(int64_t)), i = 0, from;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p, *in_place;
  while (exstack2_proceed(e, i == a->lnumrows)) {
    for (; i < a->lnumrows; ++i) {
      p.place = to[i] / THREADS, p.value = a->loffset[i + 1] - a->loffset[i];
      if (!exstack2_push(e, &p, to[i] % THREADS)) break;
    }
    while (exstack2_pop(e, &p, &from)) counts[p.place] = p.value;
  }
  exstack2_reset(e);
  result = matrix_of_counts(a->numrows, a->numcols, counts);
  while (exstack2_proceed(e, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = to[its.row] / THREADS, p.value = a->lnonzero[its.k];
      if (!exstack2_push(e, &p, to[its.row] % THREADS)) break;
    }
    while ((in_place = (packet*)exstack2_pull(e, &from)) != NULL) append(&result, *in_place);
  }
  finish(e);
  return complete_renamed(&result, columns, index_gather);
}

static sparsemat_t* transpose(sparsemat_t* a) {
  const int64_t n_cols_here = (a->numcols + THREADS - 1 - MYTHREAD) / THREADS;
  exstack2_t* e = make(sizeof(int64_t));
  int64_t *counts = (int64_t*)zeros(n_cols_here, sizeof(int64_t)), k = 0, col, from;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p;
  while (exstack2_proceed(e, k == a->lnnz)) {
    for (; k < a->lnnz; ++k) {
      col = a->lnonzero[k] / THREADS;
      if (!exstack2_push(e, &col, a->lnonzero[k] % THREADS)) break;
    }
    while (exstack2_pop(e, &col, &from)) ++counts[col];
  }
  finish(e);
  result = matrix_of_counts(a->numcols, a->numrows, counts);
  e = make(sizeof(packet));
  while (exstack2_proceed(e, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = a->lnonzero[its.k] / THREADS, p.value = its.row * THREADS + MYTHREAD;
      if (!exstack2_push(e, &p, a->lnonzero[its.k] % THREADS)) break;
    }
    while (exstack2_pop(e, &p, &from)) append(&result, p);
  }
  finish(e);
  return complete_matrix(&result);
}

static void toposort(sparsemat_t* a, sparsemat_t* transpose_of_a, SHARED int64_t* rows, SHARED int64_t* columns) {
  exstack2_t* e = make(sizeof(step));
  sorting its = begin_sorting(a, transpose_of_a);
  int64_t pe, from;
  step s;
  while (exstack2_proceed(e, is_sorted(&its))) {
    for (; has_step(&its, &s, &pe); next_step(&its, &s)) {
      if (!exstack2_push(e, &s, pe)) break;
    }
    while (exstack2_pop(e, &s, &from)) take_step(&its, &s);
  }
  end_sorting(&its, rows, columns);
  finish(e);
}

static int64_t triangles(sparsemat_t* lower, sparsemat_t* upper, bool by_upper) {
  exstack2_t* e = make(sizeof(packet));
  wedges its = all_wedges(lower, upper, by_upper);
  int64_t n = 0, pe, from;
  packet p;
  while (exstack2_proceed(e, !has_wedge(&its, &p, &pe))) {
    for (; has_wedge(&its, &p, &pe); next_wedge(&its)) {
      if (!exstack2_push(e, &p, pe)) break;
    }
    while (exstack2_pop(e, &p, &from)) n += is_closed(&its, p);
  }
  finish(e);
  return lgp_reduce_add_l(n);
}

static void relax_edges(exstack2_t* e, buckets* its) {
  int64_t pe, from;
  relaxation r;
  while (exstack2_proceed(e, !has_relaxation(its, &r, &pe))) {
    for (; has_relaxation(its, &r, &pe); next_relaxation(its)) {
      if (!exstack2_push(e, &r, pe)) break;
    }
    while (exstack2_pop(e, &r, &from)) relax(its, &r);
  }
  exstack2_reset(e);
}

static void sssp(sparsemat_t* a, int64_t source, SHARED double* distance) {
  exstack2_t* e = make(sizeof(relaxation));
  buckets its = begin_buckets(a, source, distance);
  int64_t bucket;
  for (bucket = first_bucket(&its); bucket >= 0; bucket = first_bucket(&its)) {
    while (open_bucket(&its, bucket)) relax_edges(e, &its);
    close_bucket(&its);
    relax_edges(e, &its);
  }
  end_buckets(&its);
  exstack2_clear(e);
  free(e);
}

int main(int argc, char* argv[]) {
  const kernels all = {"exstack2", histogram, index_gather, randperm, permute, transpose,
                       toposort,   triangles, sssp,         NULL,     NULL,    NULL};
  return run_kernels(&all, argc, argv);
}
