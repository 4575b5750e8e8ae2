/* Calls that travel as messages, beside conveyors and exstack2: a PE puts, gets and completes, while the others only advance sessions
   that cannot end before. They pass on what they can, and answer. */
#include <stdlib.h>

#include <convey.h>
#include <exstack.h>
#include <shmem.h>

#include "check.h"

enum { N = 3000 };
static int64_t read_back[N];
static int64_t *cells, *sums; /* symmetric; under sanitizers static variables are not */

static void call_all(int me, int n) {
  int64_t i;
  int pe;
  for (pe = 0; pe < n; ++pe) {
    for (i = 0; i < N; ++i) shmem_int64_p(&cells[i], i + pe, pe);
    shmem_quiet();
    for (i = 0; i < N; ++i) shmem_int64_get_nbi(&read_back[i], &cells[i], 1, pe);
    shmem_quiet();
    for (i = 0; i < N; ++i) CHECK(read_back[i] == i + pe);
    for (i = 0; i < 100; ++i) shmem_int64_atomic_add(&sums[me % 64], 1, pe);
    shmem_quiet();
    CHECK(shmem_int64_g(&sums[me % 64], pe) == 100);
  }
}

int main(void) {
  int me, n, turn;
  int64_t item, from, i;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  cells = (int64_t*)shmem_calloc(N, sizeof(int64_t));
  sums = (int64_t*)shmem_calloc(64, sizeof(int64_t));
  CHECK(cells != NULL && sums != NULL);
  for (turn = 0; turn < n; ++turn) {
    convey_t* c = convey_new(SIZE_MAX, 0, NULL, turn % 2 == 0 ? convey_opt_PROGRESS : 0);
    exstack2_t* e = exstack2_init(64, sizeof(int64_t));
    int64_t n_pulled = 0, n_popped = 0;
    for (i = 0; i < 64; ++i) sums[i] = 0;
    shmem_barrier_all();
    CHECK(c != NULL && e != NULL && convey_begin(c, sizeof item, 0) == convey_OK);
    if (me == turn) call_all(me, n);
    item = me;
    CHECK(convey_push(c, &item, turn) == convey_OK);
    while (convey_advance(c, true) != convey_DONE) {
      while (convey_pull(c, &item, &from) == convey_OK) n_pulled += item == from;
    }
    CHECK(n_pulled == (me == turn ? n : 0));
    if (me == turn) call_all(me, 0); /* nothing */
    CHECK(exstack2_push(e, &item, turn) != 0);
    while (exstack2_proceed(e, 1)) {
      while (exstack2_pop(e, &item, &from)) ++n_popped;
    }
    CHECK(n_popped == (me == turn ? n : 0));
    CHECK(convey_reset(c) == convey_OK && convey_free(c) == convey_OK);
    exstack2_clear(e);
    free(e);
    shmem_barrier_all();
    for (i = 0; i < N; ++i) CHECK(cells[i] == i + me);
    shmem_barrier_all();
  }
  PASSED();
  shmem_finalize();
  return 0;
}
