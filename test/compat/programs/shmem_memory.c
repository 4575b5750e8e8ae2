/* The symmetric heap and static data: allocations, addresses, what is symmetric, and what a program may do with it. */
#include <shmem.h>
#include <string.h>

#include "check.h"

static int me, n;
static long initialised[3] = {11, 22, 33};
static long zeroed[2];
static char large[3 << 20]; /* mostly never touched */
const long read_only = 5;

static void heap(void) {
  enum { n_blocks = 20 };
  char* blocks[n_blocks];
  char* before;
  int i, j;
  for (i = 0; i < n_blocks; ++i) {
    const size_t bytes = (size_t)(1 + 137 * i);
    blocks[i] = (char*)(i % 3 == 0 ? shmem_align(4096, bytes) : i % 3 == 1 ? shmem_calloc(1, bytes) : shmem_malloc(bytes));
    CHECK(blocks[i] != NULL && (size_t)blocks[i] % 64 == 0);
    CHECK(i % 3 != 0 || (size_t)blocks[i] % 4096 == 0);
    for (j = 0; i % 3 == 1 && j < (int)bytes; ++j) CHECK(blocks[i][j] == 0);
    memset(blocks[i], i, bytes);
  }
  for (i = 0; i < n_blocks; ++i) CHECK(blocks[i][137 * i] == i);
  for (i = 0; i < n_blocks; i += 2) shmem_free(blocks[i]);
  before = blocks[1];
  blocks[1] = (char*)shmem_realloc(blocks[1], 100000);
  CHECK(blocks[1] != NULL && blocks[1] != before && blocks[1][0] == 1 && blocks[1][137] == 1);
  blocks[1] = (char*)shmem_realloc(blocks[1], 10);
  CHECK(blocks[1] != NULL && blocks[1][9] == 1);
  for (i = 1; i < n_blocks; i += 2) shmem_free(blocks[i]);
  CHECK(shmem_malloc(0) == NULL && shmem_calloc(0, 8) == NULL && shmem_align(64, 0) == NULL);
  CHECK(shmem_align(3, 100) == NULL);
  CHECK(shmem_malloc((size_t)1 << 45) == NULL); /* does not fit */
  CHECK(shmem_calloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
  shmem_free(NULL);
  /* What was released is used again. */
  for (i = 0; i < 3000; ++i) {
    char* block = (char*)shmem_malloc_with_hints(1 << 20, 0);
    CHECK(block != NULL);
    block[i] = 1;
    shmem_free(block);
  }
  before = (char*)shmalloc(100);
  before = (char*)shrealloc(before, 200);
  CHECK(before != NULL);
  shfree(before);
  before = (char*)shmemalign(128, 200);
  CHECK(before != NULL && (size_t)before % 128 == 0);
  shfree(before);
}

/* Blocks of random sizes come and go; each keeps what its PE wrote into it. All PEs draw the same numbers. */
static void random_blocks(unsigned seed) {
  enum { n_blocks = 64 };
  unsigned char* blocks[n_blocks] = {0};
  size_t bytes[n_blocks] = {0}, j;
  int step;
  for (step = 0; step < 1000; ++step) {
    int i;
    seed = seed * 1664525u + 1013904223u;
    i = (int)(seed >> 16) % n_blocks;
    if (blocks[i] != NULL) {
      for (j = 0; j < bytes[i]; ++j) CHECK(blocks[i][j] == (unsigned char)(me + i));
      shmem_free(blocks[i]);
      blocks[i] = NULL;
    } else {
      seed = seed * 1664525u + 1013904223u;
      bytes[i] = (seed >> 8) % 5000 + 1;
      blocks[i] = (unsigned char*)shmem_align((size_t)1 << (seed >> 28), bytes[i]);
      CHECK(blocks[i] != NULL && (size_t)blocks[i] % ((size_t)1 << (seed >> 28)) == 0);
      memset(blocks[i], me + i, bytes[i]);
    }
  }
  for (step = 0; step < n_blocks; ++step) shmem_free(blocks[step]);
}

static void pointers(void) {
  long* block = (long*)shmem_malloc(sizeof(long));
  int on_stack = 0;
  int pe;
  *block = 100 + me;
  shmem_barrier_all();
  for (pe = 0; pe < n; ++pe) {
    const long* there = (const long*)shmem_ptr(block, pe);
    CHECK(there == NULL || *there == 100 + pe);
    CHECK(pe != me || there != NULL);
    CHECK(shmem_pe_accessible(pe) == 1 && shmem_addr_accessible(block, pe) == 1);
  }
  CHECK(shmem_pe_accessible(n) == 0 && shmem_pe_accessible(-1) == 0);
  CHECK(shmem_addr_accessible(&on_stack, me) == 0 && shmem_ptr(&on_stack, me) == NULL);
  CHECK(shmem_addr_accessible(block, n) == 0);
  shmem_free(block);
}

static void statics(void) {
  const int next = (me + 1) % n, last = (me + n - 1) % n;
  CHECK(initialised[0] == 11 && initialised[2] == 33 && zeroed[1] == 0);
  shmem_barrier_all();
  shmem_long_p(&initialised[1], 200 + me, next);
  shmem_long_atomic_add(&zeroed[0], me + 1, 0);
  large[me] = 1;
  shmem_char_p(&large[sizeof large - 1], (char)(me + 1), next);
  shmem_barrier_all();
  CHECK(initialised[0] == 11 && initialised[1] == 200 + last && initialised[2] == 33);
  CHECK(me != 0 || zeroed[0] == (long)n * (n + 1) / 2);
  CHECK(large[me] == 1 && large[sizeof large - 1] == (char)(last + 1) && large[sizeof large / 2] == 0);
  CHECK(read_only == 5);
}

int main(void) {
  int major = 0, minor = 0, provided = -1;
  char name[SHMEM_MAX_NAME_LEN];
  CHECK(shmem_n_pes() == 1 && shmem_my_pe() == 0); /* before it began */
  zeroed[1] = 7;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_FUNNELED);
  CHECK(zeroed[1] == 7);
  zeroed[1] = 0;
  shmem_query_thread(&provided);
  CHECK(provided == SHMEM_THREAD_FUNNELED);
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(_my_pe() == me && _num_pes() == n);
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == _SHMEM_MINOR_VERSION && strcmp(name, SHMEM_VENDOR_STRING) == 0);
  heap();
  random_blocks(1);
  random_blocks(2);
  pointers();
  if (shmem_addr_accessible(&me, me)) statics();
  shmem_fence();
  shmem_clear_cache_inv(), shmem_set_cache_inv(), shmem_clear_cache_line_inv(&me), shmem_set_cache_line_inv(&me);
  shmem_udcflush(), shmem_udcflush_line(&me), shmem_pcontrol(1);
  {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0 && ctx != SHMEM_CTX_INVALID);
    shmem_ctx_fence(ctx), shmem_ctx_quiet(ctx);
    CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == SHMEM_TEAM_WORLD);
    shmem_ctx_destroy(ctx);
  }
  PASSED();
  shmem_finalize();
  CHECK(shmem_my_pe() == me && shmem_n_pes() == n);
  return 0;
}
