/* Kernels of HClib-Actor's programs over conveyors: rank of pages, similarity of neighbours (Jaccard), triangle
   centrality. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_CONVEY_GRAPH_H
#define SHOAL_TEST_COMPAT_KERNELS_CONVEY_GRAPH_H

#include <convey.h>

#include "kernels_plans.h"

static convey_t* make(uint64_t options) {
  convey_t* c = convey_new(SIZE_MAX, 0, NULL, options);
  CHECK(c != NULL);
  return c;
}

static void finish(convey_t* c) {
  CHECK(convey_reset(c) == convey_OK);
  CHECK(convey_free(c) == convey_OK);
}

typedef struct {
  int64_t place;
  double value;
} weight;

/* For each nonzero, value[its column] of the column's owner. Of conveyors that are there already. */
static void gather_by_column(convey_t* requests, convey_t* replies, sparsemat_t* a, const double* mine,
                             double* result) {
  int64_t k = 0, from;
  bool more;
  packet p;
  weight w;
  CHECK(convey_begin(requests, sizeof(packet), 0) == convey_OK &&
        convey_begin(replies, sizeof(weight), 0) == convey_OK);
  while (more = convey_advance(requests, k == a->lnnz), more | convey_advance(replies, !more)) {
    for (; k < a->lnnz; ++k) {
      p.place = k, p.value = a->lnonzero[k] / THREADS;
      if (!convey_push(requests, &p, a->lnonzero[k] % THREADS)) break;
    }
    while (convey_pull(requests, &p, &from) == convey_OK) {
      w.place = p.place, w.value = mine[p.value];
      if (convey_push(replies, &w, from)) continue;
      convey_unpull(requests);
      break;
    }
    while (convey_pull(replies, &w, NULL) == convey_OK) result[w.place] = w.value;
  }
  CHECK(convey_reset(requests) == convey_OK && convey_reset(replies) == convey_OK);
}

static void pagerank(sparsemat_t* a, int n_iterations, SHARED double* rank) {
  convey_t *requests = make(0), *replies = make(convey_opt_PROGRESS);
  double* shares = (double*)zeros(a->lnumrows, sizeof(double));
  double* incoming = (double*)zeros(a->lnnz, sizeof(double));
  int64_t i, k;
  for (i = 0; i < a->lnumrows; ++i) rank[i] = 1.0 / (double)a->numrows;
  for (; n_iterations > 0; --n_iterations) {
    for (i = 0; i < a->lnumrows; ++i) shares[i] = rank[i] / (double)(a->loffset[i + 1] - a->loffset[i]);
    gather_by_column(requests, replies, a, shares, incoming);
    for (i = 0; i < a->lnumrows; ++i) {
      double sum = 0;
      for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) sum += incoming[k];
      rank[i] = 0.15 / (double)a->numrows + 0.85 * sum;
    }
  }
  CHECK(convey_free(replies) == convey_OK && convey_free(requests) == convey_OK);
  free(shares), free(incoming);
}

/* For (v, u) before the diagonal, the other neighbours of v are looked up at u. */
typedef struct {
  sparsemat_t* a;
  nonzeros at;
  int64_t n; /* of the row's nonzeros, for this one */
} neighbours;

typedef struct {
  int64_t u, v, x, place; /* place: of the nonzero. u is the receiver's number, v and x are those of the graph */
} question;

static bool has_question(neighbours* its, question* q, int64_t* pe) {
  for (; has_nonzero(&its->at); ++its->at.k, its->n = 0) {
    const int64_t row = its->at.row, begin = its->a->loffset[row], u = its->a->lnonzero[its->at.k];
    q->v = row * THREADS + MYTHREAD;
    if (u >= q->v || begin + its->n == its->a->loffset[row + 1]) continue;
    q->u = u / THREADS, q->x = its->a->lnonzero[begin + its->n], q->place = its->at.k;
    *pe = u % THREADS;
    return true;
  }
  return false;
}

static bool is_neighbour(sparsemat_t* a, int64_t row, int64_t x) {
  return holds(a->lnonzero + a->loffset[row], a->lnonzero + a->loffset[row + 1], x);
}

static void jaccard(sparsemat_t* a, double* result) {
  convey_t *requests = make(0), *replies = make(convey_opt_PROGRESS);
  neighbours its = {a, all_nonzeros(a), 0};
  double* degrees_here = (double*)zeros(a->lnumrows, sizeof(double));
  double* degrees = (double*)zeros(a->lnnz, sizeof(double));
  int64_t i, k, from, pe;
  bool more;
  question q;
  for (i = 0; i < a->lnumrows; ++i) degrees_here[i] = (double)(a->loffset[i + 1] - a->loffset[i]);
  gather_by_column(requests, replies, a, degrees_here, degrees);
  for (k = 0; k < a->lnnz; ++k) result[k] = 0;
  CHECK(convey_begin(requests, sizeof(question), 0) == convey_OK &&
        convey_begin(replies, sizeof(int64_t), 0) == convey_OK);
  while (more = convey_advance(requests, !has_question(&its, &q, &pe)), more | convey_advance(replies, !more)) {
    for (; has_question(&its, &q, &pe); ++its.n) {
      if (!convey_push(requests, &q, pe)) break;
    }
    while (convey_pull(requests, &q, &from) == convey_OK) {
      if (!is_neighbour(a, q.u, q.x) || convey_push(replies, &q.place, from)) continue;
      convey_unpull(requests);
      break;
    }
    while (convey_pull(replies, &k, NULL) == convey_OK) ++result[k];
  }
  finish(replies);
  finish(requests);
  for (i = 0; i < a->lnumrows; ++i) {
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) result[k] /= degrees_here[i] + degrees[k] - result[k];
  }
  free(degrees_here), free(degrees);
}

/* A vertex is told of the other two of its triangle. */
typedef struct {
  int64_t vertex, one, other; /* vertex: the receiver's number */
} corner;

static int64_t mark(sparsemat_t* a, char* is_marked, corner its) {
  int64_t k, n = 0;
  for (k = a->loffset[its.vertex]; k < a->loffset[its.vertex + 1]; ++k) {
    if (a->lnonzero[k] == its.one || a->lnonzero[k] == its.other) is_marked[k] = 1, ++n;
  }
  return n;
}

/* Each triangle u > v > x: asked for by u at v, which tells all three. What found no room is told when the question
   comes again. */
static void find_triangles(sparsemat_t* a, double* n_around, char* is_marked) {
  convey_t *requests = make(0), *replies = make(convey_opt_PROGRESS);
  neighbours its = {a, all_nonzeros(a), 0};
  int64_t from, pe;
  int n_told = 0;
  bool more;
  question q;
  corner c;
  CHECK(convey_begin(requests, sizeof(question), 0) == convey_OK &&
        convey_begin(replies, sizeof(corner), 0) == convey_OK);
  while (more = convey_advance(requests, !has_question(&its, &q, &pe)), more | convey_advance(replies, !more)) {
    for (; has_question(&its, &q, &pe); ++its.n) {
      if (q.x < a->lnonzero[its.at.k] && !convey_push(requests, &q, pe)) break;
    }
    while (convey_pull(requests, &q, &from) == convey_OK) {
      const int64_t corners[3] = {q.v, q.u * THREADS + MYTHREAD, q.x};
      if (!is_neighbour(a, q.u, q.x)) continue;
      for (; n_told < 3; ++n_told) {
        c.vertex = corners[n_told] / THREADS;
        c.one = corners[(n_told + 1) % 3], c.other = corners[(n_told + 2) % 3];
        if (!convey_push(replies, &c, corners[n_told] % THREADS)) break;
      }
      if (n_told < 3) {
        convey_unpull(requests);
        break;
      }
      n_told = 0;
    }
    while (convey_pull(replies, &c, NULL) == convey_OK) {
      CHECK(mark(a, is_marked, c) == 2);
      ++n_around[c.vertex];
    }
  }
  finish(requests);
  finish(replies);
}

static void centrality(sparsemat_t* a, double* result) {
  double* n_around = (double*)zeros(a->lnumrows, sizeof(double));
  double* n_beside = (double*)zeros(a->lnnz, sizeof(double));
  char* is_marked = (char*)zeros(a->lnnz, 1);
  convey_t *requests, *replies;
  int64_t i, k, n_all = 0;
  find_triangles(a, n_around, is_marked);
  requests = make(0), replies = make(convey_opt_PROGRESS);
  gather_by_column(requests, replies, a, n_around, n_beside);
  CHECK(convey_free(replies) == convey_OK && convey_free(requests) == convey_OK);
  for (i = 0; i < a->lnumrows; ++i) n_all += (int64_t)n_around[i];
  n_all = lgp_reduce_add_l(n_all) / 3;
  for (i = 0; i < a->lnumrows; ++i) {
    result[i] = n_around[i] / 3;
    for (k = a->loffset[i]; k < a->loffset[i + 1]; ++k) result[i] += is_marked[k] ? n_beside[k] / 3 : n_beside[k];
    result[i] /= (double)n_all;
  }
  free(n_around), free(n_beside), free(is_marked);
}

#endif
