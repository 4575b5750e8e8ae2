/* Delta-stepping (Meyer and Sanders, 2003): vertices leave buckets of distances by increasing bucket. Light edges of
   those that left are relaxed until the bucket stays empty, then the heavy ones. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_DELTA_H
#define SHOAL_TEST_COMPAT_KERNELS_DELTA_H

#include <math.h>

#include "kernels_plans.h"

typedef struct {
  int64_t vertex; /* of the receiver */
  double distance;
} relaxation;

typedef struct {
  sparsemat_t* a;
  double* distance;
  double delta;
  char *is_waiting, *has_left; /* by vertex of this PE: in its bucket; since the bucket was opened */
  int64_t *leaving, n_leaving; /* whose edges are relaxed now */
  bool is_light;
  int64_t i, k; /* of the next edge: in leaving, and in its row */
} buckets;

static inline buckets begin_buckets(sparsemat_t* a, int64_t source, SHARED double* distance) {
  buckets its;
  int64_t i;
  memset(&its, 0, sizeof its);
  its.a = a, its.distance = lgp_local_part(double, distance), its.delta = 0.2;
  its.is_waiting = (char*)zeros(a->lnumrows, 1);
  its.has_left = (char*)zeros(a->lnumrows, 1);
  its.leaving = (int64_t*)zeros(a->lnumrows, sizeof(int64_t));
  for (i = 0; i < a->lnumrows; ++i) its.distance[i] = INFINITY;
  if (source % THREADS == MYTHREAD) {
    its.distance[source / THREADS] = 0;
    its.is_waiting[source / THREADS] = 1;
  }
  lgp_barrier();
  return its;
}

static inline int64_t bucket_of(const buckets* its, int64_t i) { return (int64_t)(its->distance[i] / its->delta); }

/* The first that is not empty on all PEs; -1: all are. Collective. */
static inline int64_t first_bucket(const buckets* its) {
  int64_t first = -INT64_MAX, i;
  for (i = 0; i < its->a->lnumrows; ++i) {
    if (its->is_waiting[i] && -bucket_of(its, i) > first) first = -bucket_of(its, i);
  }
  first = lgp_reduce_max_l(first);
  return first == -INT64_MAX ? -1 : -first;
}

/* What is in the bucket leaves it, to have light edges relaxed. Collective: whether there is anything. */
static inline bool open_bucket(buckets* its, int64_t bucket) {
  int64_t i;
  its->n_leaving = its->i = 0, its->k = -1, its->is_light = true;
  for (i = 0; i < its->a->lnumrows; ++i) {
    if (!its->is_waiting[i] || bucket_of(its, i) != bucket) continue;
    its->is_waiting[i] = 0, its->has_left[i] = 1;
    its->leaving[its->n_leaving++] = i;
  }
  return lgp_reduce_add_l(its->n_leaving) > 0;
}

/* Heavy edges of all that left are relaxed. */
static inline void close_bucket(buckets* its) {
  int64_t i;
  its->n_leaving = its->i = 0, its->k = -1, its->is_light = false;
  for (i = 0; i < its->a->lnumrows; ++i) {
    if (its->has_left[i]) its->leaving[its->n_leaving++] = i;
    its->has_left[i] = 0;
  }
}

static inline bool has_relaxation(buckets* its, relaxation* r, int64_t* pe) {
  for (; its->i < its->n_leaving; ++its->i, its->k = -1) {
    const int64_t row = its->leaving[its->i];
    if (its->k == -1) its->k = its->a->loffset[row];
    for (; its->k < its->a->loffset[row + 1]; ++its->k) {
      if ((its->a->lvalue[its->k] <= its->delta) != its->is_light) continue;
      r->vertex = its->a->lnonzero[its->k] / THREADS;
      r->distance = its->distance[row] + its->a->lvalue[its->k];
      *pe = its->a->lnonzero[its->k] % THREADS;
      return true;
    }
  }
  return false;
}

static inline void next_relaxation(buckets* its) { ++its->k; }

static inline void relax(buckets* its, const relaxation* r) {
  if (r->distance >= its->distance[r->vertex]) return;
  its->distance[r->vertex] = r->distance;
  its->is_waiting[r->vertex] = 1;
}

static inline void end_buckets(buckets* its) { free(its->is_waiting), free(its->has_left), free(its->leaving); }

#endif
