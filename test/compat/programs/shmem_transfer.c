/* Every put, get and atomic of shmem.h, for every type, between each PE and the next: the symmetric heap and static
   variables, blocks and strides, contexts. */
#include <shmem.h>
#include <string.h>

#include "check.h"
#include "shoal_compat/shmem_types.h"

enum { n_elements = 40 };

static int me, n, next, last;

#define DEFINE_TRANSFER(A, NAME, T)                                                                                    \
  static T NAME##_in_program[n_elements];                                                                              \
  static void transfer_##NAME(T* there) {                                                                              \
    T here[n_elements], back[n_elements];                                                                              \
    int i;                                                                                                             \
    for (i = 0; i < n_elements; ++i) here[i] = (T)(me + i);                                                            \
    memset(there, 0, n_elements * sizeof(T));                                                                          \
    shmem_barrier_all();                                                                                               \
    shmem_##NAME##_p(there, (T)(me + 1), next);                                                                        \
    shmem_ctx_##NAME##_p(SHMEM_CTX_DEFAULT, there + 1, (T)(me + 2), next);                                             \
    shmem_barrier_all();                                                                                               \
    CHECK(there[0] == (T)(last + 1) && there[1] == (T)(last + 2) && there[2] == (T)0);                                 \
    CHECK(shmem_##NAME##_g(there, next) == (T)(me + 1));                                                               \
    CHECK(shmem_ctx_##NAME##_g(SHMEM_CTX_DEFAULT, there + 1, next) == (T)(me + 2));                                    \
    shmem_barrier_all();                                                                                               \
    shmem_##NAME##_put(there, here, n_elements, next);                                                                 \
    shmem_barrier_all();                                                                                               \
    for (i = 0; i < n_elements; ++i) CHECK(there[i] == (T)(last + i));                                                 \
    shmem_##NAME##_get(back, there, n_elements, next);                                                                 \
    for (i = 0; i < n_elements; ++i) CHECK(back[i] == here[i]);                                                        \
    shmem_ctx_##NAME##_get(SHMEM_CTX_DEFAULT, back, there + 1, 2, next);                                               \
    CHECK(back[0] == here[1] && back[1] == here[2]);                                                                   \
    memset(back, 0, sizeof back);                                                                                      \
    shmem_##NAME##_get_nbi(back, there, n_elements, next);                                                             \
    shmem_ctx_##NAME##_get_nbi(SHMEM_CTX_DEFAULT, back + 3, there + 4, 1, next);                                       \
    shmem_quiet();                                                                                                     \
    CHECK(back[2] == here[2] && back[3] == here[4]);                                                                   \
    shmem_barrier_all();                                                                                               \
    shmem_##NAME##_put_nbi(there + 1, here, n_elements - 1, next);                                                     \
    shmem_ctx_##NAME##_put(SHMEM_CTX_DEFAULT, there, here + 7, 1, next);                                               \
    shmem_quiet();                                                                                                     \
    shmem_ctx_##NAME##_put_nbi(SHMEM_CTX_DEFAULT, there + 1, here + 5, 1, next);                                       \
    shmem_barrier_all();                                                                                               \
    CHECK(there[0] == (T)(last + 7) && there[1] == (T)(last + 5) && there[2] == (T)(last + 1));                        \
    shmem_barrier_all();                                                                                               \
    memset(there, 0, n_elements * sizeof(T));                                                                          \
    shmem_barrier_all();                                                                                               \
    shmem_##NAME##_iput(there, here, 3, 2, 10, next);                                                                  \
    shmem_ctx_##NAME##_iput(SHMEM_CTX_DEFAULT, there + 31, here, 1, 4, 2, next);                                       \
    shmem_barrier_all();                                                                                               \
    for (i = 0; i < 10; ++i) CHECK(there[3 * i] == (T)(last + 2 * i) && there[3 * i + 1] == (T)0);                     \
    CHECK(there[31] == (T)last && there[32] == (T)(last + 4) && there[33] == (T)0);                                    \
    memset(back, 0, sizeof back);                                                                                      \
    shmem_##NAME##_iget(back, there, 2, 3, 10, next);                                                                  \
    shmem_ctx_##NAME##_iget(SHMEM_CTX_DEFAULT, back + 30, there + 31, 2, 1, 2, next);                                  \
    for (i = 0; i < 10; ++i) CHECK(back[2 * i] == here[2 * i] && back[2 * i + 1] == (T)0);                             \
    CHECK(back[30] == here[0] && back[31] == (T)0 && back[32] == here[4]);                                             \
    shmem_barrier_all();                                                                                               \
  }
SHOAL_SHMEM_RMA_(DEFINE_TRANSFER, 0)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_TRANSFER, 0)

/* Sums of what all PEs add, on PE 0; what they fetch is different on each. */
#define DEFINE_SWAPS(A, NAME, T)                                                                  \
  static T NAME##_word;                                                                           \
  static void swap_##NAME(T* word) {                                                              \
    T seen = (T)0;                                                                                \
    *word = (T)0;                                                                                 \
    shmem_barrier_all();                                                                          \
    shmem_##NAME##_atomic_set(word, (T)(me + 1), next);                                           \
    shmem_barrier_all();                                                                          \
    CHECK(shmem_##NAME##_atomic_fetch(word, next) == (T)(me + 1));                                \
    CHECK(shmem_##NAME##_fetch(word, me) == (T)(last + 1));                                       \
    CHECK(shmem_ctx_##NAME##_atomic_fetch(SHMEM_CTX_DEFAULT, word, me) == (T)(last + 1));         \
    shmem_##NAME##_atomic_fetch_nbi(&seen, word, next);                                           \
    shmem_quiet();                                                                                \
    CHECK(seen == (T)(me + 1));                                                                   \
    shmem_barrier_all();                                                                          \
    CHECK(shmem_##NAME##_atomic_swap(word, (T)7, next) == (T)(me + 1));                           \
    CHECK(shmem_##NAME##_swap(word, (T)8, next) == (T)7);                                         \
    CHECK(shmem_ctx_##NAME##_atomic_swap(SHMEM_CTX_DEFAULT, word, (T)9, next) == (T)8);           \
    shmem_##NAME##_atomic_swap_nbi(&seen, word, (T)10, next);                                     \
    shmem_quiet();                                                                                \
    CHECK(seen == (T)9);                                                                          \
    shmem_##NAME##_set(word, (T)11, next);                                                        \
    CHECK(shmem_##NAME##_fetch(word, next) == (T)11);                                             \
    shmem_ctx_##NAME##_atomic_set(SHMEM_CTX_DEFAULT, word, (T)12, next);                          \
    shmem_barrier_all();                                                                          \
    CHECK(*word == (T)12);                                                                        \
    shmem_barrier_all();                                                                          \
  }
SHOAL_SHMEM_AMO_(DEFINE_SWAPS, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_SWAPS, 0)
SHOAL_SHMEM_REAL_(DEFINE_SWAPS, 0)

#define DEFINE_ATOMICS(A, NAME, T)                                                                \
  static void change_##NAME(T* word) {                                                            \
    T seen = (T)0, expected;                                                                      \
    int i;                                                                                        \
    *word = (T)0;                                                                                 \
    shmem_barrier_all();                                                                          \
    for (i = 0; i < 100; ++i) {                                                                   \
      shmem_##NAME##_atomic_add(word, (T)2, 0);                                                   \
      shmem_##NAME##_add(word, (T)1, 0);                                                          \
      shmem_##NAME##_atomic_inc(word, 0);                                                         \
      shmem_##NAME##_inc(word, 0);                                                                \
      shmem_ctx_##NAME##_atomic_add(SHMEM_CTX_DEFAULT, word, (T)1, 0);                            \
      shmem_ctx_##NAME##_atomic_inc(SHMEM_CTX_DEFAULT, word, 0);                                  \
      CHECK(shmem_##NAME##_atomic_fetch_add(word, (T)1, 0) >= (T)i);                              \
      CHECK(shmem_##NAME##_fadd(word, (T)1, 0) >= (T)i);                                          \
      CHECK(shmem_##NAME##_atomic_fetch_inc(word, 0) >= (T)i);                                    \
      CHECK(shmem_##NAME##_finc(word, 0) >= (T)i);                                                \
      CHECK(shmem_ctx_##NAME##_atomic_fetch_add(SHMEM_CTX_DEFAULT, word, (T)1, 0) >= (T)i);       \
      CHECK(shmem_ctx_##NAME##_atomic_fetch_inc(SHMEM_CTX_DEFAULT, word, 0) >= (T)i);             \
      shmem_##NAME##_atomic_fetch_add_nbi(&seen, word, (T)1, 0);                                  \
      shmem_##NAME##_atomic_fetch_inc_nbi(&seen, word, 0);                                        \
      do {                                                                                        \
        expected = shmem_##NAME##_atomic_fetch(word, 0);                                          \
      } while (shmem_##NAME##_atomic_compare_swap(word, expected, (T)(expected + 1), 0) != expected); \
      do {                                                                                        \
        expected = shmem_##NAME##_atomic_fetch(word, 0);                                          \
      } while (shmem_##NAME##_cswap(word, expected, (T)(expected + 1), 0) != expected);           \
      do {                                                                                        \
        expected = shmem_##NAME##_atomic_fetch(word, 0);                                          \
      } while (shmem_ctx_##NAME##_atomic_compare_swap(SHMEM_CTX_DEFAULT, word, expected, (T)(expected + 1), 0) != \
               expected);                                                                         \
      do {                                                                                        \
        expected = shmem_##NAME##_atomic_fetch(word, 0);                                          \
        shmem_##NAME##_atomic_compare_swap_nbi(&seen, word, expected, (T)(expected + 1), 0);      \
        shmem_quiet();                                                                            \
      } while (seen != expected);                                                                 \
    }                                                                                             \
    shmem_barrier_all();                                                                          \
    CHECK(me != 0 || *word == (T)(n * 100 * 19));                                                 \
    shmem_barrier_all();                                                                          \
  }
SHOAL_SHMEM_AMO_(DEFINE_ATOMICS, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_ATOMICS, 0)

#define DEFINE_BITS(A, NAME, T)                                                                   \
  static void bits_##NAME(T* word) {                                                              \
    const T mine = (T)1 << (me % 31);                                                             \
    T seen = (T)0;                                                                                \
    *word = (T)0;                                                                                 \
    shmem_barrier_all();                                                                          \
    shmem_##NAME##_atomic_or(word, mine, 0);                                                      \
    CHECK((shmem_##NAME##_atomic_fetch_or(word, mine, 0) & mine) != 0);                           \
    shmem_##NAME##_atomic_xor(word, mine, 0);                                                     \
    CHECK((shmem_##NAME##_atomic_fetch_xor(word, mine, 0) & mine) == 0);                          \
    CHECK((shmem_##NAME##_atomic_fetch_and(word, ~mine, 0) & mine) != 0);                         \
    shmem_##NAME##_atomic_fetch_or_nbi(&seen, word, mine, 0);                                     \
    shmem_quiet();                                                                                \
    CHECK((seen & mine) == 0);                                                                    \
    shmem_##NAME##_atomic_fetch_xor_nbi(&seen, word, mine, 0);                                    \
    shmem_quiet();                                                                                \
    CHECK((seen & mine) != 0);                                                                    \
    shmem_ctx_##NAME##_atomic_or(SHMEM_CTX_DEFAULT, word, mine, 0);                               \
    CHECK((shmem_ctx_##NAME##_atomic_fetch_or(SHMEM_CTX_DEFAULT, word, mine, 0) & mine) != 0);    \
    shmem_ctx_##NAME##_atomic_xor(SHMEM_CTX_DEFAULT, word, mine, 0);                              \
    CHECK((shmem_ctx_##NAME##_atomic_fetch_xor(SHMEM_CTX_DEFAULT, word, mine, 0) & mine) == 0);   \
    CHECK((shmem_ctx_##NAME##_atomic_fetch_and(SHMEM_CTX_DEFAULT, word, ~mine, 0) & mine) != 0);  \
    shmem_##NAME##_atomic_or(word, mine, 0);                                                      \
    shmem_##NAME##_atomic_fetch_and_nbi(&seen, word, ~mine, 0);                                   \
    shmem_quiet();                                                                                \
    CHECK((seen & mine) != 0);                                                                    \
    shmem_##NAME##_atomic_or(word, mine, 0);                                                      \
    shmem_##NAME##_atomic_and(word, ~mine, 0);                                                    \
    shmem_ctx_##NAME##_atomic_and(SHMEM_CTX_DEFAULT, word, ~mine, 0);                             \
    shmem_barrier_all();                                                                          \
    CHECK(me != 0 || *word == (T)0);                                                              \
    shmem_barrier_all();                                                                          \
  }
SHOAL_SHMEM_BITS_(DEFINE_BITS, 0)
SHOAL_SHMEM_BITS_NAMES_(DEFINE_BITS, 0)

#define DEFINE_SIZED(SIZE, BYTES)                                                                 \
  static void sized_##SIZE(unsigned char* there) {                                                \
    unsigned char here[64], back[64];                                                             \
    int i;                                                                                        \
    for (i = 0; i < 64; ++i) here[i] = (unsigned char)(me * 64 + i);                              \
    memset(there, 0, 64);                                                                         \
    shmem_barrier_all();                                                                          \
    shmem_put##SIZE(there, here, 32 / BYTES, next);                                               \
    shmem_put##SIZE##_nbi(there + 32, here + 32, 16 / BYTES, next);                               \
    shmem_ctx_put##SIZE(SHMEM_CTX_DEFAULT, there + 48, here + 48, 16 / BYTES, next);              \
    shmem_barrier_all();                                                                          \
    for (i = 0; i < 64; ++i) CHECK(there[i] == (unsigned char)(last * 64 + i));                   \
    memset(back, 0, 64);                                                                          \
    shmem_get##SIZE(back, there, 32 / BYTES, next);                                               \
    shmem_get##SIZE##_nbi(back + 32, there + 32, 16 / BYTES, next);                               \
    shmem_ctx_get##SIZE(SHMEM_CTX_DEFAULT, back + 48, there + 48, 16 / BYTES, next);              \
    shmem_quiet();                                                                                \
    CHECK(memcmp(back, here, 64) == 0);                                                           \
    memset(back, 0, 64);                                                                          \
    shmem_ctx_get##SIZE##_nbi(SHMEM_CTX_DEFAULT, back, there, 64 / BYTES, next);                  \
    shmem_quiet();                                                                                \
    CHECK(memcmp(back, here, 64) == 0);                                                           \
    shmem_barrier_all();                                                                          \
    shmem_ctx_put##SIZE##_nbi(SHMEM_CTX_DEFAULT, there, here + 16, 16 / BYTES, next);             \
    shmem_barrier_all();                                                                          \
    CHECK(there[0] == (unsigned char)(last * 64 + 16));                                           \
    shmem_barrier_all();                                                                          \
  }
DEFINE_SIZED(8, 1)
DEFINE_SIZED(16, 2)
DEFINE_SIZED(32, 4)
DEFINE_SIZED(64, 8)
DEFINE_SIZED(128, 16)
DEFINE_SIZED(mem, 1)

#define DEFINE_STRIDED(SIZE)                                                                      \
  static void strided_##SIZE(unsigned char* there) {                                              \
    enum { bytes = SIZE / 8 };                                                                    \
    unsigned char here[8 * bytes], back[8 * bytes];                                               \
    int i;                                                                                        \
    memset(there, 0, 8 * bytes);                                                                  \
    for (i = 0; i < 8 * bytes; ++i) here[i] = (unsigned char)(me + i / bytes);                    \
    shmem_barrier_all();                                                                          \
    shmem_iput##SIZE(there, here, 2, 1, 4, next);                                                 \
    shmem_barrier_all();                                                                          \
    for (i = 0; i < 8; ++i) CHECK(there[i * bytes] == (i % 2 ? 0 : (unsigned char)(last + i / 2))); \
    shmem_iget##SIZE(back, there, 1, 2, 4, next);                                                 \
    CHECK(memcmp(back, here, 4 * bytes) == 0);                                                    \
    shmem_barrier_all();                                                                          \
  }
DEFINE_STRIDED(8)
DEFINE_STRIDED(16)
DEFINE_STRIDED(32)
DEFINE_STRIDED(64)
DEFINE_STRIDED(128)

static unsigned char bytes_in_program[128];

#define RUN_TRANSFER(A, NAME, T) \
  transfer_##NAME((T*)block);    \
  if (has_statics) transfer_##NAME(NAME##_in_program);
#define RUN_SWAPS(A, NAME, T) \
  swap_##NAME((T*)block);     \
  if (has_statics) swap_##NAME(&NAME##_word);
#define RUN_ATOMICS(A, NAME, T) \
  change_##NAME((T*)block);     \
  if (has_statics) change_##NAME(&NAME##_word);
#define RUN_BITS(A, NAME, T) \
  bits_##NAME((T*)block);    \
  if (has_statics) bits_##NAME(&NAME##_word);
#define RUN_SIZED(SIZE)                     \
  sized_##SIZE((unsigned char*)block);      \
  if (has_statics) sized_##SIZE(bytes_in_program);
#define RUN_STRIDED(SIZE)                   \
  strided_##SIZE((unsigned char*)block);    \
  if (has_statics) strided_##SIZE(bytes_in_program);

int main(void) {
  void* block;
  int has_statics;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  last = (me + n - 1) % n;
  has_statics = shmem_addr_accessible(&me, me);
  block = shmem_malloc(4096);
  CHECK(block != NULL);
  SHOAL_SHMEM_RMA_(RUN_TRANSFER, 0)
  SHOAL_SHMEM_RMA_NAMES_(RUN_TRANSFER, 0)
  SHOAL_SHMEM_AMO_(RUN_SWAPS, 0)
  SHOAL_SHMEM_AMO_NAMES_(RUN_SWAPS, 0)
  SHOAL_SHMEM_REAL_(RUN_SWAPS, 0)
  SHOAL_SHMEM_AMO_(RUN_ATOMICS, 0)
  SHOAL_SHMEM_AMO_NAMES_(RUN_ATOMICS, 0)
  SHOAL_SHMEM_BITS_(RUN_BITS, 0)
  SHOAL_SHMEM_BITS_NAMES_(RUN_BITS, 0)
  RUN_SIZED(8)
  RUN_SIZED(16)
  RUN_SIZED(32)
  RUN_SIZED(64)
  RUN_SIZED(128)
  RUN_SIZED(mem)
  RUN_STRIDED(8)
  RUN_STRIDED(16)
  RUN_STRIDED(32)
  RUN_STRIDED(64)
  RUN_STRIDED(128)
  shmem_free(block);
  PASSED();
  shmem_finalize();
  return 0;
}
