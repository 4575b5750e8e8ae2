/* Waits, tests and locks of shmem.h, for every type: each PE tells the next one. */
#include <shmem.h>
#include <string.h>

#include "check.h"
#include "shoal_compat/shmem_types.h"

static int me, n, next;
static long lock_in_program;
static long counter_in_program;

#define DEFINE_WAITS(A, NAME, T)                                                                       \
  static void waits_##NAME(T* words) {                                                                 \
    const int status[4] = {0, 1, 0, 0};                                                                \
    size_t indices[4];                                                                                 \
    int i;                                                                                             \
    memset(words, 0, 8 * sizeof(T));                                                                   \
    shmem_barrier_all();                                                                               \
    CHECK(shmem_##NAME##_test(words, SHMEM_CMP_EQ, (T)0) == 1);                                        \
    CHECK(shmem_##NAME##_test(words + 7, SHMEM_CMP_NE, (T)0) == 0);                                    \
    shmem_barrier_all();                                                                               \
    shmem_##NAME##_p(words, (T)5, next);                                                               \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_EQ, (T)5);                                              \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_NE, (T)4);                                              \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_GT, (T)4);                                              \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_GE, (T)5);                                              \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_LT, (T)6);                                              \
    shmem_##NAME##_wait_until(words, SHMEM_CMP_LE, (T)5);                                              \
    CHECK(shmem_##NAME##_test(words, SHMEM_CMP_GT, (T)5) == 0);                                        \
    for (i = 0; i < 4; ++i) {                                                                          \
      if (i != 1) shmem_##NAME##_p(words + 1 + i, (T)(i + 1), next);                                   \
    }                                                                                                  \
    shmem_##NAME##_wait_until_all(words + 1, 4, status, SHMEM_CMP_NE, (T)0);                           \
    CHECK(words[1] == (T)1 && words[2] == (T)0 && words[4] == (T)4);                                   \
    CHECK(shmem_##NAME##_wait_until_any(words + 1, 4, status, SHMEM_CMP_GE, (T)3) >= 2);               \
    CHECK(shmem_##NAME##_wait_until_some(words + 1, 4, indices, status, SHMEM_CMP_GE, (T)3) == 2);     \
    CHECK(indices[0] == 2 && indices[1] == 3);                                                         \
    CHECK(shmem_##NAME##_test_all(words + 1, 4, status, SHMEM_CMP_NE, (T)0) == 1);                     \
    CHECK(shmem_##NAME##_test_all(words + 1, 4, NULL, SHMEM_CMP_NE, (T)0) == 0);                       \
    CHECK(shmem_##NAME##_test_any(words + 1, 4, NULL, SHMEM_CMP_EQ, (T)4) == 3);                       \
    CHECK(shmem_##NAME##_test_any(words + 1, 4, NULL, SHMEM_CMP_EQ, (T)9) == SIZE_MAX);                \
    CHECK(shmem_##NAME##_test_some(words + 1, 4, indices, NULL, SHMEM_CMP_EQ, (T)0) == 1);             \
    CHECK(indices[0] == 1);                                                                            \
    CHECK(shmem_##NAME##_wait_until_any(words + 1, 1, status + 1, SHMEM_CMP_NE, (T)1) == SIZE_MAX);    \
    CHECK(shmem_##NAME##_wait_until_some(words + 1, 1, indices, status + 1, SHMEM_CMP_NE, (T)1) == 0); \
    shmem_barrier_all();                                                                               \
  }
SHOAL_SHMEM_AMO_(DEFINE_WAITS, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_WAITS, 0)
SHOAL_SHMEM_SHORT_(DEFINE_WAITS, 0)

#define DEFINE_OLD(NAME, T)                    \
  static void old_##NAME(T* words) {           \
    words[0] = 0;                              \
    shmem_barrier_all();                       \
    shmem_##NAME##_p(words, 3, next);          \
    shmem_##NAME##_wait(words, 0);             \
    CHECK(words[0] == 3);                      \
    shmem_barrier_all();                       \
  }
DEFINE_OLD(short, short)
DEFINE_OLD(int, int)
DEFINE_OLD(long, long)
DEFINE_OLD(longlong, long long)

/* One after another adds to a number that nothing else guards. */
static void locks(long* lock, long* counter, int rounds) {
  int i;
  *counter = 0;
  shmem_barrier_all();
  for (i = 0; i < rounds; ++i) {
    long seen;
    if (i % 2 == 0) {
      shmem_set_lock(lock);
    } else {
      while (shmem_test_lock(lock) != 0) continue;
    }
    seen = shmem_long_g(counter, 0);
    shmem_long_p(counter, seen + 1, 0);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  CHECK(me != 0 || *counter == (long)rounds * n);
  shmem_barrier_all();
}

#define RUN_WAITS(A, NAME, T) waits_##NAME((T*)block);

int main(void) {
  long* block;
  int has_statics;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  has_statics = shmem_addr_accessible(&me, me);
  block = (long*)shmem_calloc(16, sizeof(long));
  CHECK(block != NULL);
  SHOAL_SHMEM_AMO_(RUN_WAITS, 0)
  SHOAL_SHMEM_AMO_NAMES_(RUN_WAITS, 0)
  SHOAL_SHMEM_SHORT_(RUN_WAITS, 0)
  old_short((short*)block);
  old_int((int*)block);
  old_long(block);
  old_longlong((long long*)block);
  block[0] = 0;
  shmem_barrier_all();
  shmem_long_p(block, 4, next);
  shmem_wait(block, 0);
  shmem_wait_until(block, SHMEM_CMP_EQ, 4);
  CHECK(shmem_swap(block + 1, 6L, me) == 0 || block[1] == 6);
  shmem_barrier_all();
  block[2] = 0;
  shmem_barrier_all();
  locks(block + 2, block + 3, 100);
  if (has_statics) locks(&lock_in_program, &counter_in_program, 100);
  PASSED();
  shmem_finalize();
  return 0;
}
