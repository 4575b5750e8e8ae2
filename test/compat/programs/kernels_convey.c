/* Kernels of bale over conveyors: the loops of its programs. kernels_convey_graph.h has those of HClib-Actor's
   programs. */
#include <convey.h>
#include <spmat.h>

#include "kernels_convey_graph.h"
#include "kernels_delta.h"
#include "kernels_main.h"
#include "kernels_plans.h"

static void histogram(SHARED int64_t* counts, const int64_t* index, int64_t n) {
  int64_t* mine = lgp_local_part(int64_t, counts);
  convey_t* c = make(0);
  int64_t i = 0, at;
  CHECK(convey_begin(c, sizeof(int64_t), 0) == convey_OK);
  while (convey_advance(c, i == n)) {
    for (; i < n; ++i) {
      at = index[i] / THREADS;
      if (convey_push(c, &at, index[i] % THREADS) != convey_OK) break;
    }
    while (convey_pull(c, &at, NULL) == convey_OK) ++mine[at];
  }
  finish(c);
}

static void index_gather(int64_t* target, SHARED int64_t* table, const int64_t* index, int64_t n) {
  const int64_t* mine = lgp_local_part(int64_t, table);
  convey_t *requests = make(0), *replies = make(convey_opt_PROGRESS);
  int64_t i = 0, from;
  bool more;
  packet p;
  CHECK(convey_begin(requests, sizeof(packet), 0) == convey_OK &&
        convey_begin(replies, sizeof(packet), 0) == convey_OK);
  while (more = convey_advance(requests, i == n), more | convey_advance(replies, !more)) {
    for (; i < n; ++i) {
      p.place = i, p.value = index[i] / THREADS;
      if (!convey_push(requests, &p, index[i] % THREADS)) break;
    }
    while (convey_pull(requests, &p, &from) == convey_OK) {
      p.value = mine[p.value];
      if (convey_push(replies, &p, from)) continue;
      convey_unpull(requests);
      break;
    }
    while (convey_pull(replies, &p, NULL) == convey_OK) target[p.place] = p.value;
  }
  finish(requests);
  finish(replies);
}

static SHARED int64_t* randperm(int64_t n) {
  SHARED int64_t* perm = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  convey_t *throws = make(convey_opt_PROGRESS), *replies = make(convey_opt_PROGRESS);
  darts_game game = begin_darts(n);
  int64_t i = 0, n_packed, begin, pe, from, reply;
  bool more;
  packet p;
  CHECK(convey_begin(throws, sizeof(packet), 0) == convey_OK && convey_begin(replies, sizeof(int64_t), 0) == convey_OK);
  while (more = convey_advance(throws, all_stick(&game)), more | convey_advance(replies, !more)) {
    for (; has_dart(&game); next_dart(&game)) {
      p = dart(&game, &pe);
      if (!convey_push(throws, &p, pe)) break;
    }
    while (convey_pull(throws, &p, &from) == convey_OK) {
      reply = hit_board(&game, p);
      if (convey_push(replies, &reply, from)) continue;
      unhit_board(&game, p, reply);
      convey_unpull(throws);
      break;
    }
    while (convey_pull(replies, &reply, NULL) == convey_OK) take_reply(&game, reply);
  }
  finish(replies);
  CHECK(convey_reset(throws) == convey_OK);
  begin = pack_board(&game, &n_packed);
  CHECK(convey_begin(throws, sizeof(packet), 0) == convey_OK);
  while (convey_advance(throws, i == n_packed)) {
    for (; i < n_packed; ++i) {
      p.place = (begin + i) / THREADS, p.value = game.board[i];
      if (!convey_push(throws, &p, (begin + i) % THREADS)) break;
    }
    while (convey_pull(throws, &p, NULL) == convey_OK) lgp_local_part(int64_t, perm)[p.place] = p.value;
  }
  end_darts(&game);
  finish(throws);
  return perm;
}

static sparsemat_t* permute(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns) {
  const int64_t* to = lgp_local_part(int64_t, rows);
  convey_t* c = make(0);
  int64_t *counts = (int64_t*)zeros(a->lnumrows, sizeof(int64_t)), i = 0;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p;
  CHECK(convey_begin(c, sizeof(packet), 0) == convey_OK);
  while (convey_advance(c, i == a->lnumrows)) {
    for (; i < a->lnumrows; ++i) {
      p.place = to[i] / THREADS, p.value = a->loffset[i + 1] - a->loffset[i];
      if (!convey_push(c, &p, to[i] % THREADS)) break;
    }
    while (convey_pull(c, &p, NULL) == convey_OK) counts[p.place] = p.value;
  }
  CHECK(convey_reset(c) == convey_OK);
  result = matrix_of_counts(a->numrows, a->numcols, counts);
  CHECK(convey_begin(c, sizeof(packet), 0) == convey_OK);
  while (convey_advance(c, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = to[its.row] / THREADS, p.value = a->lnonzero[its.k];
      if (!convey_push(c, &p, to[its.row] % THREADS)) break;
    }
    while (convey_pull(c, &p, NULL) == convey_OK) append(&result, p);
  }
  finish(c);
  return complete_renamed(&result, columns, index_gather);
}

/* One conveyor for both sessions, with items of another size each. */
static sparsemat_t* transpose(sparsemat_t* a) {
  const int64_t n_cols_here = (a->numcols + THREADS - 1 - MYTHREAD) / THREADS;
  convey_t* c = make(0);
  int64_t *counts = (int64_t*)zeros(n_cols_here, sizeof(int64_t)), k = 0, col;
  nonzeros its = all_nonzeros(a);
  growing_matrix result;
  packet p, *in_place;
  CHECK(convey_begin(c, sizeof(int64_t), 0) == convey_OK);
  while (convey_advance(c, k == a->lnnz)) {
    for (; k < a->lnnz; ++k) {
      col = a->lnonzero[k] / THREADS;
      if (!convey_push(c, &col, a->lnonzero[k] % THREADS)) break;
    }
    while (convey_pull(c, &col, NULL) == convey_OK) ++counts[col];
  }
  CHECK(convey_reset(c) == convey_OK);
  result = matrix_of_counts(a->numcols, a->numrows, counts);
  CHECK(convey_begin(c, sizeof(packet), 0) == convey_OK);
  while (convey_advance(c, !has_nonzero(&its))) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = a->lnonzero[its.k] / THREADS, p.value = its.row * THREADS + MYTHREAD;
      if (!convey_push(c, &p, a->lnonzero[its.k] % THREADS)) break;
    }
    while ((in_place = (packet*)convey_apull(c, NULL)) != NULL) append(&result, *in_place);
  }
  finish(c);
  return complete_matrix(&result);
}

static void toposort(sparsemat_t* a, sparsemat_t* transpose_of_a, SHARED int64_t* rows, SHARED int64_t* columns) {
  convey_t* c = make(convey_opt_PROGRESS);
  sorting its = begin_sorting(a, transpose_of_a);
  int64_t pe;
  step s;
  CHECK(convey_begin(c, sizeof(step), 0) == convey_OK);
  while (convey_advance(c, is_sorted(&its))) {
    for (; has_step(&its, &s, &pe); next_step(&its, &s)) {
      if (!convey_push(c, &s, pe)) break;
    }
    while (convey_pull(c, &s, NULL) == convey_OK) take_step(&its, &s);
  }
  end_sorting(&its, rows, columns);
  finish(c);
}

static int64_t n_by_lower(sparsemat_t* lower) {
  convey_t* c = make(convey_opt_RECKLESS);
  wedges its = all_wedges(lower, NULL, false);
  int64_t n = 0, pe;
  packet p;
  CHECK(convey_begin(c, sizeof(packet), 0) == convey_OK);
  while (convey_advance(c, !has_wedge(&its, &p, &pe))) {
    for (; has_wedge(&its, &p, &pe); next_wedge(&its)) {
      if (!convey_push(c, &p, pe)) break;
    }
    while (convey_pull(c, &p, NULL) == convey_OK) n += is_closed(&its, p);
  }
  finish(c);
  return lgp_reduce_add_l(n);
}

/* For (i, j) of the lower half, row j of the upper one comes as a whole, and is compared with row i. */
static int64_t n_by_rows(sparsemat_t* lower, sparsemat_t* upper) {
  convey_t* queries = make(0);
  convey_t* rows = convey_new_elastic(64, SIZE_MAX, 0, NULL, convey_opt_PROGRESS);
  nonzeros its = all_nonzeros(lower);
  int64_t n = 0, from, *reply = (int64_t*)zeros(upper->numcols + 1, sizeof(int64_t));
  convey_item_t row;
  bool more;
  packet p;
  CHECK(rows != NULL && (convey_features(rows) & convey_ELASTIC) != 0);
  CHECK(convey_begin(queries, sizeof(packet), 0) == convey_OK && convey_begin(rows, sizeof(int64_t), 0) == convey_OK);
  while (more = convey_advance(queries, !has_nonzero(&its)), more | convey_advance(rows, !more)) {
    for (; has_nonzero(&its); ++its.k) {
      p.place = lower->lnonzero[its.k] / THREADS, p.value = its.row;
      if (!convey_push(queries, &p, lower->lnonzero[its.k] % THREADS)) break;
    }
    while (convey_pull(queries, &p, &from) == convey_OK) {
      const int64_t begin = upper->loffset[p.place], length = upper->loffset[p.place + 1] - begin;
      reply[0] = p.value;
      memcpy(reply + 1, upper->lnonzero + begin, (size_t)length * sizeof(int64_t));
      if (convey_epush(rows, (size_t)(length + 1) * sizeof(int64_t), reply, from)) continue;
      convey_unpull(queries);
      break;
    }
    while (convey_epull(rows, &row) == convey_OK) {
      const int64_t *cols = (const int64_t*)row.data, *end = cols + row.bytes / sizeof(int64_t);
      int64_t k;
      for (k = upper->loffset[cols[0]]; k < upper->loffset[cols[0] + 1]; ++k)
        n += holds(cols + 1, end, upper->lnonzero[k]);
    }
  }
  finish(queries);
  finish(rows);
  free(reply);
  return lgp_reduce_add_l(n);
}

static int64_t triangles(sparsemat_t* lower, sparsemat_t* upper, bool by_upper) {
  return by_upper ? n_by_rows(lower, upper) : n_by_lower(lower);
}

/* A session for each time. */
static void relax_edges(convey_t* c, buckets* its) {
  int64_t pe;
  relaxation r;
  CHECK(convey_begin(c, sizeof(relaxation), 0) == convey_OK);
  while (convey_advance(c, !has_relaxation(its, &r, &pe))) {
    for (; has_relaxation(its, &r, &pe); next_relaxation(its)) {
      if (!convey_push(c, &r, pe)) break;
    }
    while (convey_pull(c, &r, NULL) == convey_OK) relax(its, &r);
  }
  CHECK(convey_reset(c) == convey_OK);
}

static void sssp(sparsemat_t* a, int64_t source, SHARED double* distance) {
  convey_t* c = make(0);
  buckets its = begin_buckets(a, source, distance);
  int64_t bucket;
  for (bucket = first_bucket(&its); bucket >= 0; bucket = first_bucket(&its)) {
    while (open_bucket(&its, bucket)) relax_edges(c, &its);
    close_bucket(&its);
    relax_edges(c, &its);
  }
  end_buckets(&its);
  finish(c);
}

int main(int argc, char* argv[]) {
  const kernels all = {"conveyor", histogram, index_gather, randperm, permute, transpose,
                       toposort,   triangles, sssp,         pagerank, jaccard, centrality};
  return run_kernels(&all, argc, argv);
}
