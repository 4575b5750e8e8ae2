/* Which messages kernels send, in which order, and what receivers do with them: the same for exstack, exstack2 and
   conveyors. A plan has a next message as long as its has_… says so; a program pushes it, and goes on by next_… once
   it was taken. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_PLANS_H
#define SHOAL_TEST_COMPAT_KERNELS_PLANS_H

#include "kernels_whole.h"

/* Of most kernels: a place at the receiver, and what is to come there. */
typedef struct {
  int64_t place, value;
} packet;

/* --- Nonzeros of this PE, by row */

typedef struct {
  sparsemat_t* a;
  int64_t row, k;
} nonzeros;

static inline nonzeros all_nonzeros(sparsemat_t* a) {
  nonzeros its = {a, 0, 0};
  return its;
}

/* Moves to the row of the next one, too. */
static inline bool has_nonzero(nonzeros* its) {
  if (its->k == its->a->lnnz) return false;
  while (its->k == its->a->loffset[its->row + 1]) ++its->row;
  return true;
}

/* Of as many nonzeros in each row; `counts` is freed. Columns are to be appended. */
typedef struct {
  sparsemat_t* a;
  int64_t* next; /* by row of this PE */
} growing_matrix;

static inline growing_matrix matrix_of_counts(int64_t n_rows, int64_t n_cols, int64_t* counts) {
  growing_matrix its = {NULL, counts};
  int64_t i, sum = 0;
  for (i = 0; i * THREADS + MYTHREAD < n_rows; ++i) sum += counts[i];
  its.a = init_matrix(n_rows, n_cols, sum, 0);
  CHECK(its.a != NULL);
  its.a->loffset[0] = 0;
  for (i = 0; i < its.a->lnumrows; ++i) {
    its.a->loffset[i + 1] = its.a->loffset[i] + counts[i];
    counts[i] = its.a->loffset[i];
  }
  return its;
}

static inline void append(growing_matrix* its, packet p) {
  CHECK(its->next[p.place] < its->a->loffset[p.place + 1]);
  its->a->lnonzero[its->next[p.place]++] = p.value;
}

static inline sparsemat_t* complete_matrix(growing_matrix* its) {
  int64_t i;
  for (i = 0; i < its->a->lnumrows; ++i) CHECK(its->next[i] == its->a->loffset[i + 1]);
  free(its->next);
  lgp_barrier();
  return its->a;
}

/* With columns renamed as the dealt array `columns` says, which `gather` reads. */
static inline sparsemat_t* complete_renamed(growing_matrix* its, SHARED int64_t* columns,
                                            void (*gather)(int64_t*, SHARED int64_t*, const int64_t*, int64_t)) {
  const int64_t n = its->a->lnnz;
  int64_t* renamed = (int64_t*)zeros(n, sizeof(int64_t));
  gather(renamed, columns, its->a->lnonzero, n);
  memcpy(its->a->lnonzero, renamed, (size_t)n * sizeof(int64_t));
  free(renamed);
  return complete_matrix(its);
}

/* --- Random permutation: each number is thrown at a random place of a board until it finds an empty one */

typedef struct {
  int64_t n_board, n_board_here, n_here, n_thrown, n_stuck;
  int64_t *darts, *board;
  uint64_t n_draws;
} darts_game;

static inline darts_game begin_darts(int64_t n) {
  darts_game its = {2 * n, 0, 0, 0, 0, NULL, NULL, 0};
  int64_t i;
  its.n_board_here = (its.n_board + THREADS - 1 - MYTHREAD) / THREADS;
  its.n_here = (n + THREADS - 1 - MYTHREAD) / THREADS;
  its.darts = (int64_t*)zeros(its.n_here, sizeof(int64_t));
  its.board = (int64_t*)zeros(its.n_board_here, sizeof(int64_t));
  for (i = 0; i < its.n_here; ++i) its.darts[i] = i * THREADS + MYTHREAD;
  for (i = 0; i < its.n_board_here; ++i) its.board[i] = -1;
  return its;
}

static inline bool has_dart(const darts_game* its) { return its->n_thrown < its->n_here; }
static inline bool all_stick(const darts_game* its) { return its->n_stuck == its->n_here; }

static inline packet dart(const darts_game* its, int64_t* pe) {
  const int64_t to = (int64_t)(hash(17, (uint64_t)MYTHREAD, its->n_draws) % (uint64_t)its->n_board);
  packet p;
  *pe = to % THREADS;
  p.place = to / THREADS, p.value = its->darts[its->n_thrown];
  return p;
}

static inline void next_dart(darts_game* its) { ++its->n_thrown, ++its->n_draws; }

/* The reply. What sticks is negative. */
static inline int64_t hit_board(darts_game* its, packet p) {
  if (its->board[p.place] != -1) return p.value;
  its->board[p.place] = p.value;
  return -p.value - 1;
}

/* For a reply that found no room. */
static inline void unhit_board(darts_game* its, packet p, int64_t reply) {
  if (reply < 0) its->board[p.place] = -1;
}

static inline void take_reply(darts_game* its, int64_t reply) {
  if (reply < 0) ++its->n_stuck;
  else its->darts[--its->n_thrown] = reply;
}

/* Numbers of the board move to the front. Their places in the permutation begin where those of the PE before end. */
static inline int64_t pack_board(darts_game* its, int64_t* n_packed) {
  int64_t i, n = 0;
  for (i = 0; i < its->n_board_here; ++i) {
    if (its->board[i] >= 0) its->board[n++] = its->board[i];
  }
  *n_packed = n;
  return lgp_prior_add_l(n);
}

static inline void end_darts(darts_game* its) { free(its->darts), free(its->board); }

/* --- Topological sort: the row whose only column is left matches that column, and both leave the matrix */

#define IS_MATCH (INT64_C(1) << 62)

/* A match goes to the column's owner, and has the number of a row over all PEs. Else: a column leaves a row of the
   receiver. */
typedef struct {
  int64_t row, col, level;
} step;

typedef struct {
  sparsemat_t *a, *transpose;
  int64_t *n_left, *sum_left, *level, *matched; /* by row of this PE */
  int64_t *row_queue, n_rows, n_rows_done;
  step* column_queue;
  int64_t n_columns, n_columns_done, k; /* k: in the row of the transpose that is the first column of the queue */
} sorting;

static inline sorting begin_sorting(sparsemat_t* a, sparsemat_t* transpose) {
  sorting its;
  int64_t i, k;
  memset(&its, 0, sizeof its);
  its.a = a, its.transpose = transpose;
  its.n_left = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  its.sum_left = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  its.level = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  its.matched = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  its.row_queue = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  its.column_queue = (step*)zeros(transpose->lnumrows, sizeof(step));
  for (i = 0; i < a->lnumrows; ++i) {
    its.n_left[i] = a->loffset[i + 1] - a->loffset[i];
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) its.sum_left[i] += a->lnonzero[k];
    if (its.n_left[i] == 1) its.row_queue[its.n_rows++] = i;
  }
  return its;
}

/* Moves to the next column if one has no further rows. */
static inline bool has_step(sorting* its, step* s, int64_t* pe) {
  if (its->n_rows_done < its->n_rows) {
    const int64_t row = its->row_queue[its->n_rows_done];
    s->row = (row * THREADS + MYTHREAD) | IS_MATCH, s->col = its->sum_left[row], s->level = its->level[row];
    *pe = s->col % THREADS;
    return true;
  }
  for (; its->n_columns_done < its->n_columns; ++its->n_columns_done, its->k = 0) {
    const step* match = &its->column_queue[its->n_columns_done];
    const int64_t i = match->col / THREADS, begin = its->transpose->loffset[i];
    for (; begin + its->k < its->transpose->loffset[i + 1]; ++its->k) {
      const int64_t row = its->transpose->lnonzero[begin + its->k];
      if (row == match->row) continue;
      s->row = row / THREADS, s->col = match->col, s->level = match->level;
      *pe = row % THREADS;
      return true;
    }
  }
  return false;
}

static inline void next_step(sorting* its, const step* s) {
  if (s->row & IS_MATCH) its->matched[its->row_queue[its->n_rows_done++]] = s->col;
  else ++its->k;
}

static inline void take_step(sorting* its, const step* s) {
  if (s->row & IS_MATCH) {
    step* const match = &its->column_queue[its->n_columns++];
    *match = *s;
    match->row &= ~IS_MATCH;
    return;
  }
  its->sum_left[s->row] -= s->col;
  if (its->level[s->row] < s->level + 1) its->level[s->row] = s->level + 1;
  if (--its->n_left[s->row] == 1) its->row_queue[its->n_rows++] = s->row;
}

/* Whether nothing of this PE is in the matrix any more. */
static inline bool is_sorted(sorting* its) {
  return its->n_rows_done + its->n_columns_done == its->a->lnumrows + its->transpose->lnumrows;
}

/* Rows of later levels come first. */
static inline void end_sorting(sorting* its, SHARED int64_t* rows, SHARED int64_t* columns) {
  int64_t i, level, n_levels = 0, total = 0;
  for (i = 0; i < its->a->lnumrows; ++i) n_levels = its->level[i] < n_levels ? n_levels : its->level[i] + 1;
  n_levels = lgp_reduce_max_l(n_levels);
  for (level = 0; level < n_levels; ++level) {
    int64_t n_here = 0, to;
    for (i = 0; i < its->a->lnumrows; ++i) n_here += its->level[i] == level;
    to = its->a->numrows - 1 - total - lgp_prior_add_l(n_here);
    for (i = 0; i < its->a->lnumrows; ++i) {
      if (its->level[i] != level) continue;
      lgp_local_part(int64_t, rows)[i] = to;
      lgp_put_int64(columns, its->matched[i], to);
      --to;
    }
    total += lgp_reduce_add_l(n_here);
  }
  lgp_barrier();
  free(its->n_left), free(its->sum_left), free(its->level), free(its->matched);
  free(its->row_queue), free(its->column_queue);
}

/* --- Triangles: for (i, j) of the lower half, columns of row i are looked up in row j: those before j in the lower
   half, or all in the upper half */

typedef struct {
  sparsemat_t *lower, *in;
  nonzeros at;
  int64_t k; /* in row i of `in` */
  bool is_begun;
} wedges;

static inline wedges all_wedges(sparsemat_t* lower, sparsemat_t* upper, bool by_upper) {
  wedges its = {lower, by_upper ? upper : lower, {lower, 0, 0}, 0, false};
  return its;
}

static inline bool has_wedge(wedges* its, packet* p, int64_t* pe) {
  for (; has_nonzero(&its->at); ++its->at.k, its->is_begun = false) {
    const int64_t j = its->lower->lnonzero[its->at.k];
    if (!its->is_begun) its->k = its->in->loffset[its->at.row];
    its->is_begun = true;
    if (its->k == its->in->loffset[its->at.row + 1]) continue;
    if (its->in == its->lower && its->in->lnonzero[its->k] >= j) continue;
    p->place = j / THREADS, p->value = its->in->lnonzero[its->k];
    *pe = j % THREADS;
    return true;
  }
  return false;
}

static inline void next_wedge(wedges* its) { ++its->k; }

static inline bool is_closed(const wedges* its, packet p) {
  const int64_t* cols = its->in->lnonzero;
  return holds(cols + its->in->loffset[p.place], cols + its->in->loffset[p.place + 1], p.value);
}

#endif
