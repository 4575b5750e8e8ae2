/* A program of raw SHMEM with a private header in place of bale's: its functions have the names of ours. */
#include <shmem.h>

#include "check.h"

#define THREADS shmem_n_pes()
#define MYTHREAD shmem_my_pe()

double wall_seconds(void);
double wall_seconds(void) { return 42; }
int64_t lgp_reduce_add_l(int64_t value);
int64_t lgp_reduce_add_l(int64_t value) { return value + 1000; }
void lgp_rand_seed(int64_t seed);
void lgp_rand_seed(int64_t seed) { (void)seed; }
double lgp_rand_double(void); /* the library's, beside a function of the program's own */

int main(void) {
  shmem_init();
  lgp_rand_seed(3);
  CHECK(wall_seconds() == 42 && lgp_reduce_add_l(1) == 1001);
  CHECK(lgp_rand_double() < 1 && THREADS >= 1 && MYTHREAD < THREADS);
  shmem_barrier_all();
  PASSED();
  shmem_finalize();
  return 0;
}
