/* Loops as programs of OpenSHMEM have them: a histogram by shmem_atomic_add, a scatter by shmem_put_nbi and a gather by
   shmem_get_nbi, on random PEs. Arguments: calls of each loop, for a time; repetitions. With them PE 0 prints lines of a name and the
   nanoseconds of a call, in place of `passed`. */
#include <shmem.h>
#include <stdint.h>
#include <time.h>

#include "check.h"

enum { n_cells = 1 << 14 };

static int me, n_pes;
static long n_calls = 20000;
static int is_timed;
static uint64_t state;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void tell(const char* name, double begin) {
  if (is_timed && me == 0) printf("%s %.1f\n", name, (seconds() - begin) * 1e9 / (double)n_calls);
}

static void add(int64_t* cells) {
  int64_t sum = 0, all;
  double begin;
  long i;
  for (i = 0; i < n_cells; ++i) cells[i] = 0;
  shmem_barrier_all();
  begin = seconds();
  for (i = 0; i < n_calls; ++i) {
    const uint64_t drawn = draw();
    shmem_int64_atomic_add(cells + drawn % n_cells, 1, (int)((drawn >> 40) % (uint64_t)n_pes));
  }
  shmem_barrier_all();
  tell("atomic_add", begin);
  for (i = 0; i < n_cells; ++i) sum += cells[i];
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all, &sum, 1);
  CHECK(all == (int64_t)n_calls * n_pes);
  shmem_barrier_all();
}

/* A cell holds its own number, whoever put it. */
static void put(int64_t* cells) {
  static int64_t numbers[n_cells];
  double begin;
  long i;
  for (i = 0; i < n_cells; ++i) {
    numbers[i] = i;
    cells[i] = -1;
  }
  shmem_barrier_all();
  begin = seconds();
  for (i = 0; i < n_calls; ++i) {
    const uint64_t drawn = draw();
    shmem_int64_put_nbi(cells + drawn % n_cells, numbers + drawn % n_cells, 1, (int)((drawn >> 40) % (uint64_t)n_pes));
  }
  shmem_barrier_all();
  tell("put_nbi", begin);
  for (i = 0; i < n_cells; ++i) CHECK(cells[i] == -1 || cells[i] == i);
  shmem_barrier_all();
}

static void get(int64_t* cells) {
  int64_t* const got = malloc((size_t)n_calls * sizeof(int64_t));
  uint64_t begin_state;
  double begin;
  long i;
  CHECK(got != NULL);
  for (i = 0; i < n_cells; ++i) cells[i] = i * n_pes + me;
  shmem_barrier_all();
  begin_state = state;
  begin = seconds();
  for (i = 0; i < n_calls; ++i) {
    const uint64_t drawn = draw();
    shmem_int64_get_nbi(got + i, cells + drawn % n_cells, 1, (int)((drawn >> 40) % (uint64_t)n_pes));
  }
  shmem_barrier_all();
  tell("get_nbi", begin);
  state = begin_state;
  for (i = 0; i < n_calls; ++i) {
    const uint64_t drawn = draw();
    CHECK(got[i] == (int64_t)(drawn % n_cells) * n_pes + (int64_t)((drawn >> 40) % (uint64_t)n_pes));
  }
  free(got);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  const int n_repetitions = argc > 2 ? atoi(argv[2]) : 1;
  int64_t* cells;
  int i;
  is_timed = argc > 1;
  if (is_timed) n_calls = atol(argv[1]);
  shmem_init();
  me = shmem_my_pe();
  n_pes = shmem_n_pes();
  state = 88172645463325252u + (uint64_t)me * 1000003;
  cells = shmem_malloc(n_cells * sizeof *cells);
  CHECK(cells != NULL);
  for (i = 0; i < n_repetitions; ++i) {
    add(cells);
    put(cells);
    get(cells);
  }
  shmem_free(cells);
  if (!is_timed) PASSED();
  shmem_finalize();
  return 0;
}
