/* How programs begin and end; the argument says how. Prints "passed" if what it expects comes true. */
#include <shmem.h>
#include <string.h>
#include <time.h>

#include "check.h"

static long word;

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static void sleep_ms(long ms) {
  struct timespec t;
  t.tv_sec = 0;
  t.tv_nsec = ms * 1000000;
  nanosleep(&t, NULL);
}

/* A job is open: messages go through. */
static void use(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  long* cell = (long*)shmem_malloc(sizeof(long));
  CHECK(cell != NULL);
  *cell = 0;
  shmem_barrier_all();
  shmem_long_atomic_add(cell, me + 1, 0);
  shmem_barrier_all();
  CHECK(shmem_long_g(cell, 0) == (long)n * (n + 1) / 2);
  shmem_free(cell);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  int me;
  if (is(how, "none")) { /* a program that does not begin at all */
    printf("passed\n");
    return 0;
  }
  if (is(how, "early")) shmem_long_p(&word, 1, 0);
  if (is(how, "finalize first")) shmem_finalize();
  if (is(how, "start_pes")) {
    start_pes(0);
  } else {
    shmem_init();
  }
  me = shmem_my_pe();
  use();
  if (is(how, "nested")) {
    shmem_init();
    use();
    shmem_init();
    shmem_finalize();
    use();
    shmem_finalize();
    use();
  } else if (is(how, "again")) {
    int i;
    for (i = 0; i < 5; ++i) {
      const int before = shmem_n_pes();
      word = i;
      shmem_finalize();
      CHECK(word == i && shmem_my_pe() == me && shmem_n_pes() == before);
      if ((me + i) % 3 == 0) sleep_ms(20); /* others begin again before */
      shmem_init();
      CHECK(word == i && shmem_my_pe() == me && shmem_n_pes() == before);
      use();
    }
  } else if (is(how, "finalize twice")) {
    shmem_finalize();
    shmem_finalize();
  }
  if (me == 0) printf("passed\n"); /* not flushed: the end does */
  if (is(how, "return")) return 0;
  if (is(how, "exit 0")) exit(0);
  if (is(how, "return 5")) return 5;
  if (is(how, "one returns 3")) { /* the others wait for it */
    if (me == shmem_n_pes() - 1) return 3;
    shmem_barrier_all();
  }
  if (is(how, "one exits 3")) {
    sleep_ms(50);
    if (me == shmem_n_pes() - 1) exit(3);
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  }
  if (is(how, "one ends all with 4")) {
    if (me == shmem_n_pes() - 1) shmem_global_exit(4);
    shmem_barrier_all();
  }
  if (is(how, "one ends all with 0")) {
    shmem_barrier_all();
    if (me == 0) shmem_global_exit(0);
    shmem_barrier_all();
    shmem_barrier_all();
  }
  shmem_finalize();
  if (is(how, "late")) shmem_long_p(&word, 1, 0);
  if (is(how, "exit 6 late")) exit(6);
  return 0;
}
