/* libgetput: dealt arrays, access to their elements, atomics, reductions, layouts, and the random stream. */
#include <libgetput.h>

#include "check.h"

static int64_t counter;

static void arrays(void) {
  const int64_t n = 10 * THREADS + 3, me = MYTHREAD;
  SHARED int64_t* whole = (int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  SHARED double* real = (double*)lgp_all_alloc(n, sizeof(double));
  int64_t* part = lgp_local_part(int64_t, whole);
  int64_t i, block[3] = {7, 8, 9}, back[3] = {0, 0, 0};
  CHECK(whole != NULL && real != NULL);
  for (i = me; i < n; i += THREADS) part[i / THREADS] = 3 * i;
  lgp_barrier();
  for (i = 0; i < n; ++i) CHECK(lgp_get_int64(whole, i) == 3 * i);
  lgp_barrier();
  for (i = 0; i < n; ++i) {
    if (i % THREADS == (me + 1) % THREADS) {
      lgp_put_int64(whole, i, 5 * i);
      lgp_put_double(real, i, 0.5 * (double)i);
    }
  }
  lgp_fence();
  lgp_barrier();
  lgp_poll();
  for (i = 0; i < n; ++i) CHECK(lgp_get_int64(whole, i) == 5 * i && lgp_get_double(real, i) == 0.5 * (double)i);
  lgp_barrier();
  if (me == 0) lgp_memput(whole, block, sizeof block, THREADS + 1 % THREADS);
  lgp_barrier();
  lgp_memget(back, whole, sizeof back, THREADS + 1 % THREADS);
  CHECK(back[0] == 7 && back[1] == 8 && back[2] == 9);
  /* Arguments with effects. */
  lgp_barrier();
  i = 0;
  if (me == 0) lgp_put_int64(whole, i++, 41);
  if (me == 0) lgp_put_int64(whole, i++, 42);
  if (me == 0) lgp_put_double(real, i++, 0.25);
  lgp_barrier();
  i = 0;
  CHECK(lgp_get_int64(whole, i++) == 41 && i == 1);
  CHECK(lgp_get_int64(whole, i++) == 42 && i == 2);
  CHECK(lgp_get_double(real, i++) == 0.25 && i == 3);
  lgp_memget(back, whole, sizeof *back, --i - 1);
  CHECK(back[0] == 42 && i == 2);
  /* Addresses of any type. */
  lgp_barrier();
  shmem_int64_p((uint64_t*)whole, -1, (int)((me + 1) % THREADS));
  lgp_barrier();
  CHECK(shmem_int64_g((double*)(void*)whole, (int)me) == -1);
  lgp_barrier();
  for (i = 0; i < 10; ++i) part[i] = 0;
  lgp_barrier();
  for (i = 0; i < 4 * THREADS; ++i) {
    lgp_atomic_add(whole, i, 2);
    lgp_atomic_add_async(whole, i, 1);
    CHECK(lgp_fetch_and_inc(whole, i) >= 3);
    CHECK(lgp_fetch_and_add(whole, i, 4) >= 4);
  }
  lgp_barrier();
  for (i = 0; i < 4 * THREADS; ++i) CHECK(lgp_get_int64(whole, i) == 8 * THREADS);
  lgp_barrier();
  if (lgp_cmp_and_swap(whole, 0, 8 * THREADS, me) == 8 * THREADS) ++counter;
  CHECK(lgp_reduce_add_l(counter) == 1);
  for (i = 0; i < 6; ++i) {
    if (me == 0) lgp_shmem_write_upc_array_int64(whole, (size_t)i, 2, 100 + i);
    if (me == 0) lgp_shmem_write_upc_array_double(real, (size_t)i, 2, 0.25 * (double)i);
  }
  lgp_barrier();
  for (i = 0; i < 6; ++i) CHECK(lgp_shmem_read_upc_array_int64(whole, (size_t)i, 2) == 100 + i);
  for (i = 0; i < 6; ++i) CHECK(lgp_shmem_read_upc_array_double(real, (size_t)i, 2) == 0.25 * (double)i);
  if (MYTHREAD == (2 % THREADS)) CHECK(part[THREADS > 2 ? 0 : THREADS > 1 ? 2 : 4] == 104);
  lgp_all_free(real);
  lgp_all_free(whole);
}

static void reductions(void) {
  const int64_t me = MYTHREAD, n = THREADS, sum = n * (n - 1) / 2;
  minavgmaxL_t l;
  minavgmaxD_t d;
  CHECK(lgp_reduce_add_l(me) == sum && lgp_reduce_min_l(me - 5) == -5 && lgp_reduce_max_l(me) == n - 1);
  CHECK(lgp_reduce_add_d((double)me / 2) == (double)sum / 2 && lgp_reduce_min_d((double)me) == 0);
  CHECK(lgp_reduce_max_d((double)me) == (double)(n - 1));
  CHECK(lgp_prior_add_l(me + 1) == me * (me + 1) / 2 && lgp_partial_add_l(me + 1) == (me + 1) * (me + 2) / 2);
  CHECK(lgp_min_avg_max_l(&l, 10 * me, n) == 0 && l.min == 0 && l.avg == 10 * sum / n && l.max == 10 * (n - 1));
  CHECK(lgp_min_avg_max_d(&d, (double)me, n) == 0 && d.min == 0 && d.avg == (double)sum / (double)n);
}

static void layouts(void) {
  const int64_t n = 3 * THREADS + 2;
  int64_t i, pe, offset, before = 0, in_block = 0;
  for (i = 0; i < n; ++i) {
    global_index_to_pe_and_offset(&pe, &offset, i, n, CYCLIC);
    CHECK(pe == i % THREADS && offset == i / THREADS && pe_and_offset_to_global_index(pe, offset, n, CYCLIC) == i);
    global_index_to_pe_and_offset(&pe, &offset, i, n, BLOCK);
    CHECK(pe_and_offset_to_global_index(pe, offset, n, BLOCK) == i && pe >= before && pe < THREADS);
    if (pe != before) in_block = 0;
    CHECK(offset == in_block++);
    before = pe;
  }
}

int main(int argc, char** argv) {
  double x = 0;
  int i;
  lgp_init(argc, argv);
  arrays();
  reductions();
  layouts();
  /* The value that Knuth publishes for seed 310952: the first number after 2,009 blocks. */
  lgp_rand_seed(310952 - 1 - MYTHREAD);
  for (i = 0; i <= 2009 * 100; ++i) x = lgp_rand_double();
  CHECK(x == 0.36410514377569680455);
  for (i = 0; i < 1000; ++i) {
    const int64_t drawn = lgp_rand_int64(10);
    CHECK(drawn >= 0 && drawn < 10);
  }
  lgp_rand_seed(5);
  x = lgp_rand_double();
  CHECK(lgp_reduce_min_d(x) != lgp_reduce_max_d(x) || THREADS == 1); /* each PE has its own */
  x = wall_seconds();
  CHECK(wall_seconds() >= x && BALE_VERSION >= 3.0 && _rtc() == 0);
  if (THREADS > 0) T0_printf("%s", "");
  T0_fprintf(stderr, "%s", "");
  lgp_barrier();
  if (MYTHREAD == 0) printf("passed\n");
  lgp_finalize();
  lgp_global_exit(0);
}
