/* Misuse that ends the job with one line; the argument says which. */
#include <shmem.h>
#include <string.h>

#include "check.h"

static long lock;

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  long on_stack = 0;
  long* block;
  int me;
  shmem_init();
  me = shmem_my_pe();
  block = (long*)shmem_malloc(64);
  if (strcmp(how, "stack") == 0) shmem_long_p(&on_stack, 1, 0);
  if (strcmp(how, "pe") == 0) shmem_long_p(block, 1, shmem_n_pes());
  if (strcmp(how, "size") == 0) shmem_malloc((size_t)(64 + 64 * me));
  if (strcmp(how, "free") == 0) shmem_free(block + 1);
  if (strcmp(how, "twice") == 0) shmem_free(block), shmem_free(block);
  if (strcmp(how, "lock") == 0) shmem_clear_lock(&lock);
  if (strcmp(how, "set") == 0) shmem_barrier(0, 0, shmem_n_pes() + 1, NULL);
  if (strcmp(how, "stranger") == 0 && me != 0) shmem_barrier(0, 0, 1, NULL);
  if (strcmp(how, "stranger") == 0 && me == 0) shmem_barrier_all();
  if (strcmp(how, "root") == 0) shmem_broadcast64(block, block, 1, -1, 0, 0, shmem_n_pes(), NULL);
  if (strcmp(how, "team") == 0) shmem_team_sync(SHMEM_TEAM_INVALID);
  if (strcmp(how, "calls") == 0) {
    if (me == 0) shmem_malloc(64);
    if (me != 0) shmem_barrier_all();
  }
  if (strcmp(how, "compare") == 0) shmem_long_wait_until(block, 77, 1);
  shmem_finalize();
  return 0;
}
