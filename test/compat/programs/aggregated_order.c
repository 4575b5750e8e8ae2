/* What quiet, fence, waits, locks and collectives promise, where puts and atomics travel as messages: data before a flag, flags
   that PEs wait for in every way that a program may, answers to each other without quiet, one PE that all others write to. The
   argument "leaves": ends with calls under way, without shmem_finalize. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { n_rounds = 200, n_data = 3000, n_pes_max = 16 };

/* Builds with sanitizers do not share static variables. */
struct words {
  int64_t flags[n_pes_max], data[n_data], sum;
  int32_t short_flag;
  long lock, guarded;
};
static struct words in_program, *its = &in_program;
static int me, n, next, last;

static void zero(void) {
  shmem_barrier_all();
  memset(its->flags, 0, sizeof its->flags);
  memset(its->data, 0, sizeof its->data);
  its->short_flag = 0;
  shmem_barrier_all();
}

/* Each PE sends a block and a flag to the next one, in many ways; and waits for its own in as many. */
static void data_before_flag(void) {
  static int64_t mine[n_data];
  int64_t round;
  int i;
  for (round = 1; round <= n_rounds; ++round) {
    const size_t length = (size_t)(round * 37 % n_data) + 1;
    for (i = 0; i < (int)length; ++i) mine[i] = round + i;
    switch (round % 3) {
      case 0: shmem_int64_put(its->data, mine, length, next); break;
      case 1: shmem_int64_put_nbi(its->data, mine, length, next); break;
      default:
        for (i = 0; i < (int)length; ++i) shmem_int64_p(its->data + i, mine[i], next);
    }
    if (round % 2 != 0) {
      shmem_fence();
    } else {
      shmem_quiet();
    }
    if (round % 5 == 0) {
      shmem_int64_atomic_inc(its->flags, next);
    } else {
      shmem_int64_p(its->flags, round, next);
    }
    switch (round % 7) {
      case 0:
        while (shmem_int64_g(its->flags, me) != round) {
        }
        break;
      case 1:
        while (!shmem_int64_test(its->flags, SHMEM_CMP_GE, round)) {
        }
        break;
      case 2:
        while (shmem_int64_atomic_fetch(its->flags, me) != round) {
        }
        break;
      default: shmem_int64_wait_until(its->flags, SHMEM_CMP_GE, round);
    }
    for (i = 0; i < (int)length; ++i) CHECK(its->data[i] == round + i);
    /* The sender learns that its data were read: otherwise it would write over them. */
    shmem_int64_p(its->flags + 1, round, last);
    shmem_int64_wait_until(its->flags + 1, SHMEM_CMP_GE, round);
  }
}

/* Nobody calls quiet: a wait sends what this PE has put. */
static void answers(void) {
  const int other = me ^ 1;
  int32_t round;
  if (other >= n) return;
  for (round = 1; round <= n_rounds; ++round) {
    if (me > other) shmem_int32_wait_until(&its->short_flag, SHMEM_CMP_EQ, round);
    shmem_int32_p(&its->short_flag, round, other);
    if (me < other) shmem_int32_wait_until(&its->short_flag, SHMEM_CMP_EQ, round);
  }
}

/* All PEs change words of PE 0, and look at them; then at those of all others. */
static void one_target(void) {
  int64_t seen, before = 0;
  int i;
  for (i = 0; i < 20000; ++i) {
    shmem_int64_atomic_add(&its->sum, 1, 0);
    shmem_int64_atomic_inc(its->data + i % n_data, 0);
    if (i % 997 == 0) {
      seen = shmem_int64_atomic_fetch_add(&its->sum, 1, 0); /* this PE's own calls count */
      CHECK(seen >= before + (i == 0 ? 1 : 997));
      before = seen + 1;
    }
  }
  shmem_barrier_all();
  CHECK(me != 0 || its->sum == (int64_t)n * (20000 + 21));
  shmem_barrier_all();
  if (me == 0) its->sum = 0;
}

/* What is put before a lock is cleared is there for the next owner. */
static void locked(void) {
  int i;
  for (i = 0; i < 20; ++i) {
    long value;
    shmem_set_lock(&its->lock);
    value = shmem_long_g(&its->guarded, 0);
    shmem_long_p(&its->guarded, value + 1, 0);
    shmem_clear_lock(&its->lock);
  }
  shmem_barrier_all();
  CHECK(me != 0 || its->guarded == 20L * n);
}

/* Calls that collective ones come after. */
static void collectives(void) {
  int64_t one = 1, all;
  static long pSync[SHMEM_REDUCE_SYNC_SIZE];
  int pe;
  for (pe = 0; pe < n; ++pe) shmem_int64_p(its->flags + me, me + 1, pe);
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all, &one, 1);
  CHECK(all == n);
  for (pe = 0; pe < n; ++pe) CHECK(its->flags[pe] == pe + 1);
  zero();
  for (pe = 0; pe < n; ++pe) shmem_int64_atomic_or(its->flags + me, 8, pe);
  shmem_barrier(0, 0, n, pSync);
  for (pe = 0; pe < n; ++pe) CHECK(its->flags[pe] == 8);
}

/* A block is released when nobody writes into it any more. */
static void released(void) {
  int i, pe;
  for (i = 0; i < 50; ++i) {
    int64_t* const before = shmem_malloc(64 * sizeof(int64_t));
    int64_t* after;
    for (pe = 0; pe < n; ++pe) shmem_int64_p(before + me, 7, pe);
    shmem_free(before);
    after = shmem_calloc(64, sizeof(int64_t));
    CHECK(after == before);
    for (pe = 0; pe < n; ++pe) CHECK(after[pe] == 0);
    shmem_barrier_all();
    for (pe = 0; pe < n; ++pe) CHECK(after[pe] == 0);
    shmem_free(after);
  }
}

/* A quiet is local: PE 0 does not come to a collective call before another one has told it that its quiet has ended. */
static void quiet_is_local(void) {
  if (n == 1) return;
  if (me == 1) {
    shmem_int64_atomic_add(its->data, 5, 0);
    shmem_quiet();
    CHECK(shmem_int64_g(its->data, 0) == 5);
    shmem_int64_p(its->flags, 1, 0);
    shmem_quiet();
  } else if (me == 0) {
    shmem_int64_wait_until(its->flags, SHMEM_CMP_EQ, 1);
    CHECK(its->data[0] == 5);
  }
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  last = (me + n - 1) % n;
  CHECK(n <= n_pes_max);
  if (!shmem_addr_accessible(its, me)) its = shmem_calloc(1, sizeof *its);
  if (argc > 1 && strcmp(argv[1], "leaves") == 0) {
    int64_t i;
    static int64_t got[64];
    for (i = 0; i < 5000; ++i) shmem_int64_atomic_add(its->data + i % n_data, 1, next);
    for (i = 0; i < 64; ++i) shmem_int64_get_nbi(got + i, its->data + i, 1, last);
    PASSED();
    return 0;
  }
  zero();
  data_before_flag();
  zero();
  answers();
  zero();
  one_target();
  zero();
  locked();
  zero();
  collectives();
  zero();
  released();
  quiet_is_local();
  zero();
  PASSED();
  shmem_finalize();
  return 0;
}
