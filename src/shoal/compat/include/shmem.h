/* OpenSHMEM 1.5 on Shoal: the functions, types and constants that programs of bale and HClib-Actor use, and the older names
   of them. docs/coming-from-openshmem.md says what differs.

   "Collective": all PEs, or all of the set or team, make the call in the same order. Remote addresses are those of the
   symmetric heap and of static and global variables of the program. Sources of puts and destinations of gets may lie
   anywhere. Misuse ends the job with one line and status 2. Only the thread that called shmem_init may make calls. */
#ifndef SHOAL_SHMEM_H
#define SHOAL_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C++" {
#include <complex>
}
typedef std::complex<float> shoal_shmem_complexf;
typedef std::complex<double> shoal_shmem_complexd;
extern "C" {
#else
typedef float _Complex shoal_shmem_complexf;
typedef double _Complex shoal_shmem_complexd;
#endif

#include "shoal_compat/shmem_types.h"

/* --- Constants and types */

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_VENDOR_STRING "Shoal"
#define SHMEM_MAX_NAME_LEN 64
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* Collective calls need no work arrays. Programs declare them all the same. */
#define SHMEM_SYNC_VALUE 0
#define SHMEM_BCAST_SYNC_SIZE 1
#define SHMEM_REDUCE_SYNC_SIZE 1
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE 1
#define SHMEM_COLLECT_SYNC_SIZE 1
#define SHMEM_ALLTOALL_SYNC_SIZE 1
#define SHMEM_ALLTOALLS_SYNC_SIZE 1
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE

typedef struct shoal_shmem_team* shmem_team_t;
extern struct shoal_shmem_team shoal_shmem_team_world;
extern struct shoal_shmem_team shoal_shmem_team_shared;
#define SHMEM_TEAM_WORLD (&shoal_shmem_team_world)
#define SHMEM_TEAM_SHARED (&shoal_shmem_team_shared) /* the PEs that share memory with the caller */
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
typedef struct {
  int num_contexts;
} shmem_team_config_t;
#define SHMEM_TEAM_NUM_CONTEXTS 1L

/* A context orders what the default one orders: its quiet is everybody's. */
typedef struct shoal_shmem_ctx* shmem_ctx_t;
extern struct shoal_shmem_ctx shoal_shmem_ctx_default;
#define SHMEM_CTX_DEFAULT (&shoal_shmem_ctx_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

/* --- Begin and end. Collective. May be called any number of times: the job is over with the last finalize that has an init.
   The PE's number and their count are told after that, too. Programs may also return from main or call exit(0) without. */

void shmem_init(void);
int shmem_init_thread(int requested, int* provided); /* 0; provided: at most SHMEM_THREAD_FUNNELED */
void shmem_query_thread(int* provided);
void shmem_finalize(void);
void shmem_global_exit(int status); /* Local: ends all PEs with this status. */
void start_pes(int unused);

/* --- Who and where. Local. */

int shmem_my_pe(void);
int shmem_n_pes(void);
#if defined(__GNUC__)
/* They change nothing, so calls in a row need only be one. */
int shmem_my_pe(void) __attribute__((pure));
int shmem_n_pes(void) __attribute__((pure));
#endif
int _my_pe(void);
int _num_pes(void);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* address, int pe);
void* shmem_ptr(const void* address, int pe); /* for loads and stores; NULL if PE `pe` shares no memory with this one */

/* --- Symmetric heap. Collective: a barrier ends each allocation and begins each release. NULL without a barrier for 0
   bytes, and with one where they do not fit on each PE (SHOAL_STATS=1 then prints a line). Aligned to 64 bytes. */

void* shmem_malloc(size_t bytes);
void* shmem_calloc(size_t n, size_t bytes);
void* shmem_align(size_t alignment, size_t bytes);
void* shmem_realloc(void* old, size_t bytes);
void* shmem_malloc_with_hints(size_t bytes, long hints);
void shmem_free(void* block);
void* shmalloc(size_t bytes);
void* shmemalign(size_t alignment, size_t bytes);
void* shrealloc(void* old, size_t bytes);
void shfree(void* block);

/* --- Order. quiet: what this PE has put is there. fence: puts before it arrive before puts after it, for each PE. */

void shmem_quiet(void);
void shmem_fence(void);
void shmem_barrier_all(void); /* collective; with quiet */
void shmem_sync_all(void); /* collective; without */
void shmem_barrier(int start, int log_stride, int n_pes, long* pSync);
void shmem_sync(int start, int log_stride, int n_pes, long* pSync);
int shmem_team_sync(shmem_team_t team);

/* --- Puts and gets, of elements, blocks, and every dst-th (sst-th) element. Local. With `_nbi` they may be under way
   until the next quiet. */

#define SHOAL_SHMEM_DECLARE_RMA_(A, NAME, T)                                                                          \
  void shmem_##NAME##_p(T* dest, T value, int pe);                                                                    \
  T shmem_##NAME##_g(const T* source, int pe);                                                                        \
  void shmem_##NAME##_put(T* dest, const T* source, size_t n, int pe);                                                \
  void shmem_##NAME##_get(T* dest, const T* source, size_t n, int pe);                                                \
  void shmem_##NAME##_put_nbi(T* dest, const T* source, size_t n, int pe);                                            \
  void shmem_##NAME##_get_nbi(T* dest, const T* source, size_t n, int pe);                                            \
  void shmem_##NAME##_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);                 \
  void shmem_##NAME##_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);                 \
  void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, T* dest, T value, int pe);                                               \
  T shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const T* source, int pe);                                                   \
  void shmem_ctx_##NAME##_put(shmem_ctx_t ctx, T* dest, const T* source, size_t n, int pe);                           \
  void shmem_ctx_##NAME##_get(shmem_ctx_t ctx, T* dest, const T* source, size_t n, int pe);                           \
  void shmem_ctx_##NAME##_put_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t n, int pe);                       \
  void shmem_ctx_##NAME##_get_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t n, int pe);                       \
  void shmem_ctx_##NAME##_iput(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n,     \
                               int pe);                                                                               \
  void shmem_ctx_##NAME##_iget(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n,     \
                               int pe);
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_RMA_, 0)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_RMA_, 0)
#undef SHOAL_SHMEM_DECLARE_RMA_

/* n elements of 8 to 128 bits; `mem`: bytes. */
#define SHOAL_SHMEM_DECLARE_SIZED_(SIZE)                                                             \
  void shmem_put##SIZE(void* dest, const void* source, size_t n, int pe);                            \
  void shmem_get##SIZE(void* dest, const void* source, size_t n, int pe);                            \
  void shmem_put##SIZE##_nbi(void* dest, const void* source, size_t n, int pe);                      \
  void shmem_get##SIZE##_nbi(void* dest, const void* source, size_t n, int pe);                      \
  void shmem_ctx_put##SIZE(shmem_ctx_t ctx, void* dest, const void* source, size_t n, int pe);       \
  void shmem_ctx_get##SIZE(shmem_ctx_t ctx, void* dest, const void* source, size_t n, int pe);       \
  void shmem_ctx_put##SIZE##_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t n, int pe); \
  void shmem_ctx_get##SIZE##_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t n, int pe);
SHOAL_SHMEM_DECLARE_SIZED_(8)
SHOAL_SHMEM_DECLARE_SIZED_(16)
SHOAL_SHMEM_DECLARE_SIZED_(32)
SHOAL_SHMEM_DECLARE_SIZED_(64)
SHOAL_SHMEM_DECLARE_SIZED_(128)
SHOAL_SHMEM_DECLARE_SIZED_(mem)
#undef SHOAL_SHMEM_DECLARE_SIZED_
#define SHOAL_SHMEM_DECLARE_STRIDED_(SIZE)                                                                         \
  void shmem_iput##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);           \
  void shmem_iget##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);           \
  void shmem_ctx_iput##SIZE(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                            int pe);                                                                               \
  void shmem_ctx_iget##SIZE(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                            int pe);
SHOAL_SHMEM_DECLARE_STRIDED_(8)
SHOAL_SHMEM_DECLARE_STRIDED_(16)
SHOAL_SHMEM_DECLARE_STRIDED_(32)
SHOAL_SHMEM_DECLARE_STRIDED_(64)
SHOAL_SHMEM_DECLARE_STRIDED_(128)
#undef SHOAL_SHMEM_DECLARE_STRIDED_

/* --- Atomics. Local. Atomic with one another on an element, whichever PEs call them. */

#define SHOAL_SHMEM_DECLARE_SWAP_(A, NAME, T)                                   \
  T shmem_##NAME##_atomic_fetch(const T* source, int pe);                       \
  void shmem_##NAME##_atomic_set(T* dest, T value, int pe);                     \
  T shmem_##NAME##_atomic_swap(T* dest, T value, int pe);                       \
  void shmem_##NAME##_atomic_fetch_nbi(T* fetch, const T* source, int pe);      \
  void shmem_##NAME##_atomic_swap_nbi(T* fetch, T* dest, T value, int pe);      \
  T shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t ctx, const T* source, int pe);  \
  void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t ctx, T* dest, T value, int pe); \
  T shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t ctx, T* dest, T value, int pe);  \
  void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t ctx, T* fetch, const T* source, int pe); \
  void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe); \
  T shmem_##NAME##_fetch(const T* source, int pe);                              \
  void shmem_##NAME##_set(T* dest, T value, int pe);                            \
  T shmem_##NAME##_swap(T* dest, T value, int pe);
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_DECLARE_SWAP_, 0)
SHOAL_SHMEM_AMO_NAMES_(SHOAL_SHMEM_DECLARE_SWAP_, 0)
SHOAL_SHMEM_REAL_(SHOAL_SHMEM_DECLARE_SWAP_, 0)
#undef SHOAL_SHMEM_DECLARE_SWAP_

#define SHOAL_SHMEM_DECLARE_AMO_(A, NAME, T)                                                        \
  T shmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe);                           \
  T shmem_##NAME##_atomic_fetch_add(T* dest, T value, int pe);                                      \
  T shmem_##NAME##_atomic_fetch_inc(T* dest, int pe);                                               \
  void shmem_##NAME##_atomic_add(T* dest, T value, int pe);                                         \
  void shmem_##NAME##_atomic_inc(T* dest, int pe);                                                  \
  void shmem_##NAME##_atomic_compare_swap_nbi(T* fetch, T* dest, T cond, T value, int pe);          \
  void shmem_##NAME##_atomic_fetch_add_nbi(T* fetch, T* dest, T value, int pe);                     \
  void shmem_##NAME##_atomic_fetch_inc_nbi(T* fetch, T* dest, int pe);                              \
  T shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t ctx, T* dest, T cond, T value, int pe);      \
  T shmem_ctx_##NAME##_atomic_fetch_add(shmem_ctx_t ctx, T* dest, T value, int pe);                 \
  T shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t ctx, T* dest, int pe);                          \
  void shmem_ctx_##NAME##_atomic_add(shmem_ctx_t ctx, T* dest, T value, int pe);                    \
  void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t ctx, T* dest, int pe);                             \
  void shmem_ctx_##NAME##_atomic_compare_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T cond, T value, int pe); \
  void shmem_ctx_##NAME##_atomic_fetch_add_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe); \
  void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t ctx, T* fetch, T* dest, int pe);         \
  T shmem_##NAME##_cswap(T* dest, T cond, T value, int pe);                                         \
  T shmem_##NAME##_fadd(T* dest, T value, int pe);                                                  \
  T shmem_##NAME##_finc(T* dest, int pe);                                                           \
  void shmem_##NAME##_add(T* dest, T value, int pe);                                                \
  void shmem_##NAME##_inc(T* dest, int pe);
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_DECLARE_AMO_, 0)
SHOAL_SHMEM_AMO_NAMES_(SHOAL_SHMEM_DECLARE_AMO_, 0)
#undef SHOAL_SHMEM_DECLARE_AMO_

#define SHOAL_SHMEM_DECLARE_BIT_(NAME, T, OP)                                              \
  T shmem_##NAME##_atomic_fetch_##OP(T* dest, T value, int pe);                            \
  void shmem_##NAME##_atomic_##OP(T* dest, T value, int pe);                               \
  void shmem_##NAME##_atomic_fetch_##OP##_nbi(T* fetch, T* dest, T value, int pe);         \
  T shmem_ctx_##NAME##_atomic_fetch_##OP(shmem_ctx_t ctx, T* dest, T value, int pe);       \
  void shmem_ctx_##NAME##_atomic_##OP(shmem_ctx_t ctx, T* dest, T value, int pe);          \
  void shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe);
#define SHOAL_SHMEM_DECLARE_BITS_(A, NAME, T) \
  SHOAL_SHMEM_DECLARE_BIT_(NAME, T, and)      \
  SHOAL_SHMEM_DECLARE_BIT_(NAME, T, or)       \
  SHOAL_SHMEM_DECLARE_BIT_(NAME, T, xor)
SHOAL_SHMEM_BITS_(SHOAL_SHMEM_DECLARE_BITS_, 0)
SHOAL_SHMEM_BITS_NAMES_(SHOAL_SHMEM_DECLARE_BITS_, 0)
#undef SHOAL_SHMEM_DECLARE_BITS_
#undef SHOAL_SHMEM_DECLARE_BIT_

#include "shoal_compat/shmem_waits.h"
#include "shoal_compat/shmem_collectives.h"

/* --- Contexts. Local. Their operations are those of the default one. */

int shmem_ctx_create(long options, shmem_ctx_t* ctx);
void shmem_ctx_destroy(shmem_ctx_t ctx);
void shmem_ctx_quiet(shmem_ctx_t ctx);
void shmem_ctx_fence(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);

/* --- Nothing to do here. */

void shmem_clear_cache_inv(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_line_inv(void* line);
void shmem_set_cache_line_inv(void* line);
void shmem_udcflush(void);
void shmem_udcflush_line(void* line);
void shmem_pcontrol(int level, ...);

#ifdef __cplusplus
} /* extern "C" */
#include "shoal_compat/shmem_generic_cxx.h"
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shoal_compat/shmem_generic_c.h"
#endif

#ifdef __cplusplus
#include "shoal_compat/shmem_types_end.h"
#endif

#endif
