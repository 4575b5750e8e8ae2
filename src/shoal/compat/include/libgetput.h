/* libgetput of bale 3.0 on Shoal: arrays that are dealt to the PEs one element each in turn, one-sided access to them, reductions, and
   random numbers that are the same everywhere. */
#ifndef SHOAL_LIBGETPUT_H
#define SHOAL_LIBGETPUT_H

#include "shoal_compat/bale_includes.h"
#include "shmem.h"

#define SHARED
#define THREADS shmem_n_pes()
#define MYTHREAD shmem_my_pe()
#define BALE_VERSION 3.0
#define _rtc() 0

/* --- Order. */

#define lgp_barrier() shmem_barrier_all()
#define lgp_fence() shmem_quiet()
#define lgp_poll() ((void)0)
#define lgp_global_exit(status) exit(status)

/* --- Memory: n elements of `size` bytes over all PEs. Collective. Element i is element i / P of PE i % P. */

#define lgp_all_alloc(n, size) \
  shmem_malloc((((size_t)(n) + (size_t)THREADS - 1) / (size_t)THREADS) * (size_t)(size))
#define lgp_all_free(p) shmem_free((void*)(p))
#define lgp_local_part(t, p) ((t*)(p))

/* --- Access to one element, or to `n` bytes from an element on. Local. */

/* Arguments are evaluated once: programs write i++ in them. */
#define lgp_memput(dst, src, n, index) \
  shoal_lgp_memput((void*)(dst), sizeof *(dst), (src), (size_t)(n), (int64_t)(index))
#define lgp_memget(dst, src, n, index) \
  shoal_lgp_memget((dst), (const void*)(src), sizeof *(src), (size_t)(n), (int64_t)(index))
#define lgp_put_int64(array, index, value) shoal_lgp_put_int64((int64_t*)(array), (int64_t)(index), (value))
#define lgp_get_int64(array, index) shoal_lgp_get_int64((const int64_t*)(array), (int64_t)(index))
#define lgp_put_double(array, index, value) shoal_lgp_put_double((double*)(array), (int64_t)(index), (value))
#define lgp_get_double(array, index) shoal_lgp_get_double((const double*)(array), (int64_t)(index))

static inline void shoal_lgp_memput(void* dst, size_t size, const void* src, size_t n, int64_t index) {
  const int n_pes = THREADS;
  shmem_putmem((char*)dst + (size_t)(index / n_pes) * size, src, n, (int)(index % n_pes));
}
static inline void shoal_lgp_memget(void* dst, const void* src, size_t size, size_t n, int64_t index) {
  const int n_pes = THREADS;
  shmem_getmem(dst, (const char*)src + (size_t)(index / n_pes) * size, n, (int)(index % n_pes));
}
static inline void shoal_lgp_put_int64(int64_t* array, int64_t index, int64_t value) {
  const int n_pes = THREADS;
  shmem_int64_p(array + index / n_pes, value, (int)(index % n_pes));
}
static inline int64_t shoal_lgp_get_int64(const int64_t* array, int64_t index) {
  const int n_pes = THREADS;
  return shmem_int64_g(array + index / n_pes, (int)(index % n_pes));
}
static inline void shoal_lgp_put_double(double* array, int64_t index, double value) {
  const int n_pes = THREADS;
  shmem_double_p(array + index / n_pes, value, (int)(index % n_pes));
}
static inline double shoal_lgp_get_double(const double* array, int64_t index) {
  const int n_pes = THREADS;
  return shmem_double_g(array + index / n_pes, (int)(index % n_pes));
}

/* Callers have pointers of any type. */
#define shmem_int64_p(address, value, pe) (shmem_int64_p)((int64_t*)(address), (value), (pe))
#define shmem_int64_g(address, pe) (shmem_int64_g)((const int64_t*)(address), (pe))

/* --- Prints of PE 0, each one expression. */

#define T0_printf(...) ((void)(MYTHREAD != 0 || printf(__VA_ARGS__)))
#define T0_fprintf(...) ((void)(MYTHREAD != 0 || fprintf(__VA_ARGS__)))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct minavgmaxL_t {
  int64_t min, avg, max;
} minavgmaxL_t;
typedef struct minavgmaxD_t {
  double min, avg, max;
} minavgmaxD_t;
typedef enum layout { BLOCK, CYCLIC } layout;

void lgp_init(int argc, char* argv[]);
void lgp_finalize(void);

/* --- Reductions and scans of one value. Collective. */

int64_t lgp_reduce_add_l(int64_t value);
int64_t lgp_reduce_min_l(int64_t value);
int64_t lgp_reduce_max_l(int64_t value);
double lgp_reduce_add_d(double value);
double lgp_reduce_min_d(double value);
double lgp_reduce_max_d(double value);
int64_t lgp_partial_add_l(int64_t value); /* of PEs 0 to this one */
int64_t lgp_prior_add_l(int64_t value); /* of PEs before this one */
int64_t lgp_min_avg_max_l(minavgmaxL_t* result, int64_t value, int64_t divisor); /* avg: the sum by the divisor. Returns 0 */
int64_t lgp_min_avg_max_d(minavgmaxD_t* result, double value, int64_t divisor);

/* --- Atomics on element `index`; they return its old value. Local. */

void lgp_atomic_add(int64_t* array, int64_t index, int64_t value);
void lgp_atomic_add_async(int64_t* array, int64_t index, int64_t value);
int64_t lgp_fetch_and_inc(int64_t* array, int64_t index);
int64_t lgp_fetch_and_add(int64_t* array, int64_t index, int64_t value);
int64_t lgp_cmp_and_swap(int64_t* array, int64_t index, int64_t expected, int64_t value);

/* --- Time in seconds; random numbers: Knuth's lagged Fibonacci generator (TAOCP vol. 2, 3.6, 2002), seeded with seed + 1 + MYTHREAD. */

#ifndef MYTIME_H /* which has it, too */
double wall_seconds(void);
#endif
void lgp_rand_seed(int64_t seed);
double lgp_rand_double(void); /* in [0,1) */
int64_t lgp_rand_int64(int64_t n); /* in [0,n) */

/* --- Layouts. BLOCK: the first n % P PEs hold one element more. Local. */

void global_index_to_pe_and_offset(int64_t* pe, int64_t* offset, int64_t index, int64_t n, layout how);
int64_t pe_and_offset_to_global_index(int64_t pe, int64_t offset, int64_t n, layout how);

/* Element `index` of an array that is dealt in blocks. */
void lgp_shmem_write_upc_array_int64(int64_t* array, size_t index, size_t blocksize, int64_t value);
void lgp_shmem_write_upc_array_double(double* array, size_t index, size_t blocksize, double value);
int64_t lgp_shmem_read_upc_array_int64(const int64_t* array, size_t index, size_t blocksize);
double lgp_shmem_read_upc_array_double(const double* array, size_t index, size_t blocksize);

#ifdef __cplusplus
}
#endif

#endif
