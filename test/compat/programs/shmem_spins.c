/* Loops of programs that look at a word again and again until another PE has changed it; the argument says how. No call in them waits. */
#include <shmem.h>
#include <string.h>

#include "check.h"

static int flag;
static long lock_word, guarded;

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  int me, n, i;
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  for (i = 1; i <= 20; ++i) {
    shmem_barrier_all();
    if (me == 0) { /* the last PE is on another node */
      shmem_int_p(&flag, i, n - 1);
    } else if (me == n - 1) {
      if (is(how, "get")) while (shmem_int_g(&flag, me) != i) continue;
      if (is(how, "fetch")) while (shmem_int_atomic_fetch(&flag, me) != i) continue;
      if (is(how, "quiet")) while (*(volatile int*)&flag != i) shmem_quiet();
      if (is(how, "fence")) while (*(volatile int*)&flag != i) shmem_fence();
      if (is(how, "test")) while (!shmem_int_test(&flag, SHMEM_CMP_EQ, i)) continue;
    }
  }
  if (is(how, "lock")) {
    for (i = 0; i < 30; ++i) {
      while (shmem_long_atomic_compare_swap(&lock_word, 0, me + 1, 0) != 0) continue;
      shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
      shmem_quiet();
      shmem_long_atomic_set(&lock_word, 0, 0);
    }
    shmem_barrier_all();
    CHECK(me != 0 || guarded == 30L * n);
  }
  shmem_barrier_all();
  PASSED();
  shmem_finalize();
  return 0;
}
