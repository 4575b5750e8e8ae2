/* Every reduction, broadcast, collection and exchange of shmem.h, over all PEs, over active sets and over teams: short ones
   and such that are longer than Shoal's scratch memory. */
#include <shmem.h>
#include <string.h>

#include "check.h"
#include "shoal_compat/shmem_types.h"

enum { n_most = 40000 };

static int me, n;
static long pSync[SHMEM_REDUCE_SYNC_SIZE];

/* The set of this call: PEs start, start + stride, …, and this PE's place in it. */
static int start, log_stride, size, my_place;

static int pe_at(int place) { return start + (place << log_stride); }

#define SUM_OF_PLACES (size * (size - 1) / 2)

/* Source element i of the PE at place p is p + i % 5; sums stay small enough for every type. */
#define DEFINE_SUM(A, NAME, T)                                                                     \
  static void sum_##NAME(T* dest, T* source, int count) {                                          \
    T work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];                                                         \
    int i;                                                                                         \
    for (i = 0; i < count; ++i) source[i] = (T)(my_place + i % 5);                                 \
    shmem_##NAME##_sum_to_all(dest, source, count, start, log_stride, size, work, pSync);          \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(SUM_OF_PLACES + size * (i % 5)));             \
    for (i = 0; i < count; ++i) source[i] = (T)(my_place == 0 ? 3 : 1 + i % 2);                    \
    shmem_##NAME##_prod_to_all(source, source, count, start, log_stride, size, NULL, NULL);        \
    for (i = 0; i < count && size <= 5; ++i) CHECK(source[i] == (T)(i % 2 ? 3 << (size - 1) : 3)); \
  }
SHOAL_SHMEM_SIGNED_(DEFINE_SUM, 0)
SHOAL_SHMEM_FLOATING_(DEFINE_SUM, 0)
/* A conversion of a real number to a complex one. */
#define DEFINE_COMPLEX(A, NAME, T, REAL)                                                    \
  static void sum_##NAME(T* dest, T* source, int count) {                                   \
    int i;                                                                                  \
    for (i = 0; i < count; ++i) source[i] = (T)(REAL)(my_place + i % 5);                    \
    shmem_##NAME##_sum_to_all(dest, source, count, start, log_stride, size, NULL, pSync);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(REAL)(SUM_OF_PLACES + size * (i % 5))); \
    for (i = 0; i < count; ++i) source[i] = (T)(REAL)2;                                     \
    shmem_##NAME##_prod_to_all(dest, source, count, start, log_stride, size, NULL, NULL);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(REAL)(1 << size));                     \
  }
DEFINE_COMPLEX(0, complexf, shoal_shmem_complexf, float)
DEFINE_COMPLEX(0, complexd, shoal_shmem_complexd, double)

#define DEFINE_ORDER(A, NAME, T)                                                            \
  static void order_##NAME(T* dest, T* source, int count) {                                 \
    int i;                                                                                  \
    for (i = 0; i < count; ++i) source[i] = (T)(my_place + i % 5);                          \
    shmem_##NAME##_max_to_all(dest, source, count, start, log_stride, size, NULL, pSync);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(size - 1 + i % 5));                    \
    shmem_##NAME##_min_to_all(dest, source, count, start, log_stride, size, NULL, pSync);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(i % 5));                               \
  }
SHOAL_SHMEM_SIGNED_(DEFINE_ORDER, 0)
SHOAL_SHMEM_FLOATING_(DEFINE_ORDER, 0)

#define DEFINE_BITS(A, NAME, T)                                                             \
  static void bits_##NAME(T* dest, T* source, int count) {                                  \
    const T all = (T)((1 << size) - 1);                                                     \
    int i;                                                                                  \
    for (i = 0; i < count; ++i) source[i] = (T)(1 << my_place);                             \
    shmem_##NAME##_or_to_all(dest, source, count, start, log_stride, size, NULL, pSync);    \
    for (i = 0; i < count; ++i) CHECK(dest[i] == all);                                      \
    shmem_##NAME##_xor_to_all(dest, source, count, start, log_stride, size, NULL, pSync);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == all);                                      \
    shmem_##NAME##_and_to_all(dest, source, count, start, log_stride, size, NULL, pSync);   \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(size == 1 ? all : 0));                 \
  }
SHOAL_SHMEM_SIGNED_(DEFINE_BITS, 0)

#define DEFINE_MOVES(SIZE, T)                                                                                     \
  static void moves_##SIZE(T* dest, T* source, int count) {                                                       \
    const int own = count / size + my_place; /* lengths differ */                                                 \
    int i, place, at;                                                                                             \
    const int root = size - 1;                                                                                    \
    for (i = 0; i < count + size; ++i) source[i] = (T)(1000 * my_place + i);                                           \
    memset(dest, 255, (size_t)count * sizeof(T));                                                                 \
    shmem_broadcast##SIZE(dest, source, (size_t)count, root, start, log_stride, size, pSync);                     \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (my_place == root ? (T)-1 : (T)(1000 * root + i)));              \
    shmem_collect##SIZE(dest, source, (size_t)own, start, log_stride, size, pSync);                               \
    for (place = 0, at = 0; place < size; ++place) {                                                              \
      for (i = 0; i < count / size + place; ++i, ++at) CHECK(dest[at] == (T)(1000 * place + i));                  \
    }                                                                                                             \
    shmem_fcollect##SIZE(dest, source, (size_t)(count / size), start, log_stride, size, pSync);                   \
    for (place = 0, at = 0; place < size; ++place) {                                                              \
      for (i = 0; i < count / size; ++i, ++at) CHECK(dest[at] == (T)(1000 * place + i));                          \
    }                                                                                                             \
    shmem_alltoall##SIZE(dest, source, (size_t)(count / size), start, log_stride, size, pSync);                   \
    for (place = 0, at = 0; place < size; ++place) {                                                              \
      for (i = 0; i < count / size; ++i, ++at) CHECK(dest[at] == (T)(1000 * place + my_place * (count / size) + i)); \
    }                                                                                                             \
    memset(dest, 0, (size_t)count * sizeof(T));                                                                   \
    shmem_alltoalls##SIZE(dest, source, 2, 1, (size_t)(count / size / 2), start, log_stride, size, pSync);        \
    for (place = 0, at = 0; place < size; ++place) {                                                              \
      for (i = 0; i < count / size / 2; ++i, at += 2)                                                             \
        CHECK(dest[at] == (T)(1000 * place + my_place * (count / size / 2) + i));                                 \
    }                                                                                                             \
  }
DEFINE_MOVES(32, uint32_t)
DEFINE_MOVES(64, uint64_t)

#define RUN_SET(A, NAME, T) sum_##NAME((T*)dest, (T*)source, count);
#define RUN_ORDER(A, NAME, T) order_##NAME((T*)dest, (T*)source, count);
#define RUN_BITS(A, NAME, T) bits_##NAME((T*)dest, (T*)source, count);

static void over_set(void* dest, void* source, int count) {
  SHOAL_SHMEM_SIGNED_(RUN_SET, 0)
  SHOAL_SHMEM_FLOATING_(RUN_SET, 0)
  SHOAL_SHMEM_COMPLEX_(RUN_SET, 0)
  SHOAL_SHMEM_SIGNED_(RUN_ORDER, 0)
  SHOAL_SHMEM_FLOATING_(RUN_ORDER, 0)
  SHOAL_SHMEM_SIGNED_(RUN_BITS, 0)
  moves_32((uint32_t*)dest, (uint32_t*)source, count);
  moves_64((uint64_t*)dest, (uint64_t*)source, count);
}

/* --- Teams */

static shmem_team_t team;

#define DEFINE_TEAM(A, NAME, T)                                                                    \
  static void team_##NAME(T* dest, T* source) {                                                    \
    const int count = 6;                                                                           \
    int i, place;                                                                                  \
    for (i = 0; i < count * size; ++i) source[i] = (T)(my_place + i);                              \
    CHECK(shmem_##NAME##_sum_reduce(team, dest, source, (size_t)count) == 0);                      \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(SUM_OF_PLACES + size * i));                   \
    CHECK(shmem_##NAME##_max_reduce(team, dest, source, (size_t)count) == 0);                      \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(size - 1 + i));                               \
    CHECK(shmem_##NAME##_min_reduce(team, dest, source, (size_t)count) == 0);                      \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)i);                                            \
    dest[0] = (T)2;                                                                                \
    CHECK(shmem_##NAME##_prod_reduce(team, dest, dest, 1) == 0);                                   \
    CHECK(dest[0] == (T)(1 << size));                                                              \
    CHECK(shmem_##NAME##_broadcast(team, dest, source, (size_t)count, size - 1) == 0);             \
    for (i = 0; i < count; ++i) CHECK(dest[i] == (T)(size - 1 + i));                               \
    CHECK(shmem_##NAME##_collect(team, dest, source, 1) == 0);                                     \
    for (i = 0; i < size; ++i) CHECK(dest[i] == (T)i);                                             \
    CHECK(shmem_##NAME##_fcollect(team, dest, source, 2) == 0);                                    \
    for (i = 0; i < size; ++i) CHECK(dest[2 * i] == (T)i && dest[2 * i + 1] == (T)(i + 1));        \
    CHECK(shmem_##NAME##_alltoall(team, dest, source, 2) == 0);                                    \
    for (place = 0; place < size; ++place) CHECK(dest[2 * place] == (T)(place + 2 * my_place));    \
    CHECK(shmem_##NAME##_alltoalls(team, dest, source, 2, 3, 1) == 0);                             \
    for (place = 0; place < size; ++place) CHECK(dest[2 * place] == (T)(place + 3 * my_place));    \
  }
SHOAL_SHMEM_RMA_(DEFINE_TEAM, 0)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_TEAM, 0)

#define DEFINE_TEAM_BITS(A, NAME, T)                                           \
  static void team_bits_##NAME(T* dest, T* source) {                           \
    source[0] = (T)(1 << my_place);                                            \
    CHECK(shmem_##NAME##_or_reduce(team, dest, source, 1) == 0);               \
    CHECK(dest[0] == (T)((1 << size) - 1));                                    \
    CHECK(shmem_##NAME##_xor_reduce(team, dest, source, 1) == 0);              \
    CHECK(dest[0] == (T)((1 << size) - 1));                                    \
    CHECK(shmem_##NAME##_and_reduce(team, dest, source, 1) == 0);              \
    CHECK(dest[0] == (T)(size == 1));                                          \
  }
SHOAL_SHMEM_TEAM_BITS_(DEFINE_TEAM_BITS, 0)
SHOAL_SHMEM_TEAM_BITS_NAMES_(DEFINE_TEAM_BITS, 0)

#define RUN_TEAM(A, NAME, T) team_##NAME((T*)dest, (T*)source);
#define RUN_TEAM_BITS(A, NAME, T) team_bits_##NAME((T*)dest, (T*)source);

static void team_mem(unsigned char* dest, unsigned char* source) {
  int i;
  for (i = 0; i < 64; ++i) source[i] = (unsigned char)(my_place + 3 * i);
  CHECK(shmem_broadcastmem(team, dest, source, 5, 0) == 0);
  CHECK(dest[0] == 0 && dest[4] == 12);
  CHECK(shmem_collectmem(team, dest, source, (size_t)(my_place + 1)) == 0);
  CHECK(dest[0] == 0 && (size == 1 || (dest[1] == 1 && dest[2] == 4)));
  CHECK(shmem_fcollectmem(team, dest, source, 3) == 0);
  for (i = 0; i < size; ++i) CHECK(dest[3 * i + 1] == i + 3);
  CHECK(shmem_alltoallmem(team, dest, source, 2) == 0);
  for (i = 0; i < size; ++i) CHECK(dest[2 * i + 1] == i + 3 * (2 * my_place + 1));
  CHECK(shmem_alltoallsmem(team, dest, source, 2, 1, 1) == 0);
  for (i = 0; i < size; ++i) CHECK(dest[2 * i] == i + 3 * my_place);
}

static void over_team(void* dest, void* source) {
  if (team == SHMEM_TEAM_INVALID) return;
  size = shmem_team_n_pes(team);
  my_place = shmem_team_my_pe(team);
  CHECK(my_place >= 0 && my_place < size);
  CHECK(shmem_team_translate_pe(team, my_place, SHMEM_TEAM_WORLD) == me);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, team) == my_place);
  CHECK(shmem_team_sync(team) == 0);
  if (size <= 6) {
    SHOAL_SHMEM_RMA_(RUN_TEAM, 0)
    SHOAL_SHMEM_RMA_NAMES_(RUN_TEAM, 0)
    SHOAL_SHMEM_TEAM_BITS_(RUN_TEAM_BITS, 0)
    SHOAL_SHMEM_TEAM_BITS_NAMES_(RUN_TEAM_BITS, 0)
  }
  team_mem((unsigned char*)dest, (unsigned char*)source);
}

static void split(void* dest, void* source) {
  shmem_team_config_t config = {3};
  shmem_team_t rows, columns, odd;
  team = SHMEM_TEAM_WORLD;
  over_team(dest, source);
  team = SHMEM_TEAM_SHARED;
  over_team(dest, source);
  if (n > 1) {
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &odd) == 0);
    CHECK((odd != SHMEM_TEAM_INVALID) == (me % 2 == 1));
    team = odd;
    over_team(dest, source);
    if (odd != SHMEM_TEAM_INVALID) {
      config.num_contexts = 0;
      CHECK(shmem_team_get_config(odd, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts == 3);
      CHECK(shmem_team_split_strided(odd, shmem_team_n_pes(odd) - 1, -1, shmem_team_n_pes(odd), NULL, 0, &team) == 0);
      CHECK(shmem_team_my_pe(team) == shmem_team_n_pes(odd) - 1 - shmem_team_my_pe(odd));
      over_team(dest, source);
      shmem_team_destroy(team);
    }
    shmem_team_destroy(odd);
  }
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &odd) != 0 && odd == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &rows, NULL, 0, &columns) == 0);
  CHECK(shmem_team_n_pes(rows) == (me / 2 * 2 + 2 <= n ? 2 : 1) && shmem_team_my_pe(rows) == me % 2);
  CHECK(shmem_team_my_pe(columns) == me / 2);
  team = rows;
  over_team(dest, source);
  team = columns;
  over_team(dest, source);
  shmem_team_destroy(rows);
  shmem_team_destroy(columns);
  CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
}

int main(void) {
  const int counts[] = {1, 5, 100, n_most};
  void *dest, *source;
  int i;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  dest = shmem_malloc((n_most + 100) * sizeof(shoal_shmem_complexd));
  source = shmem_malloc((n_most + 100) * sizeof(shoal_shmem_complexd));
  CHECK(dest != NULL && source != NULL);
  for (i = 0; i < 4; ++i) {
    const int count = counts[i];
    start = 0, log_stride = 0, size = n, my_place = me;
    over_set(dest, source, count);
    log_stride = 1, size = (n + 1) / 2, my_place = me / 2; /* the even ones */
    if (me % 2 == 0) over_set(dest, source, count);
    start = n - 1, log_stride = 0, size = 1, my_place = 0; /* the last */
    if (me == n - 1) over_set(dest, source, count);
    if (me == n - 1) shmem_barrier(n - 1, 0, 1, NULL);
    start = n / 2, size = n - n / 2, my_place = me - start; /* the upper half */
    if (me >= start) over_set(dest, source, count);
    if (me >= start) shmem_barrier(start, 0, size, pSync);
    if (me >= start) shmem_sync(start, 0, size, pSync);
    CHECK(me < start || pe_at(my_place) == me);
  }
  split(dest, source);
  shmem_sync_all();
  PASSED();
  shmem_finalize();
  return 0;
}
