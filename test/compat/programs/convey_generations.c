/* The calls of bale 1 and bale 2, which C++ programs still make beside today's. */
#include <convey.h>
#include <shmem.h>

#include "check.h"

static int me, n;

/* Each PE tells each its number. */
static void loop(convey_t* c) {
  int64_t sum = 0, got, from;
  int i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; ++i) {
      const int64_t value = me * 1000 + i;
      if (!convey_push(c, &value, i)) break;
    }
    while (convey_pull(c, &got, &from) == convey_OK) {
      CHECK(got == from * 1000 + me);
      sum += from;
    }
  }
  CHECK(sum == (int64_t)n * (n - 1) / 2);
  CHECK(convey_reset(c) == convey_OK && convey_free(c) == convey_OK);
}

int main(void) {
  convey_t* c;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  c = convey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(convey_begin(c, sizeof(int64_t), alignof(int64_t)) == convey_OK);
  loop(c);
  /* bale 2 */
  c = convey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(convey_begin(c, sizeof(int64_t)) == convey_OK);
  loop(c);
  c = convey_new_elastic(1, 64, SIZE_MAX, 0, NULL, 0);
  CHECK(convey_begin(c, sizeof(int64_t)) == convey_OK);
  loop(c);
  c = convey_new_etensor(1, 10000, 100000, 1, 1, 2, NULL, 0);
  CHECK(convey_begin(c, sizeof(int64_t)) == convey_OK);
  loop(c);
  /* bale 1 */
  c = convey_new(sizeof(int64_t), SIZE_MAX, 0, NULL, 0);
  CHECK(convey_begin(c) == convey_OK);
  loop(c);
  PASSED();
  shmem_finalize();
  return 0;
}
