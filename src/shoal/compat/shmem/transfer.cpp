// Puts and gets.
#include "shoal/compat/include/shmem.h"

// This file is compiled twice: for programs whose calls travel as messages, too.
#if SHOAL_AGGREGATED
#include "shoal/compat/internal/aggregated_reach.hpp"
namespace calls = shoal::internal::compat::aggregated;
#else
#include "shoal/compat/internal/reach.hpp"
namespace calls = shoal::internal::compat;
#endif

#include "shoal/compat/include/shoal_compat/shmem_types.h"

#define DEFINE_BLOCKS(CALL, T)                                                                         \
  void shmem_##CALL##_put(T* dest, const T* source, size_t n, int pe) {                                \
    calls::put_block(dest, source, n * sizeof(T), pe, false, "shmem_" #CALL "_put");                   \
  }                                                                                                    \
  void shmem_##CALL##_get(T* dest, const T* source, size_t n, int pe) {                                \
    calls::get_block(dest, source, n * sizeof(T), pe, false, "shmem_" #CALL "_get");                   \
  }                                                                                                    \
  void shmem_##CALL##_put_nbi(T* dest, const T* source, size_t n, int pe) {                            \
    calls::put_block(dest, source, n * sizeof(T), pe, true, "shmem_" #CALL "_put_nbi");                \
  }                                                                                                    \
  void shmem_##CALL##_get_nbi(T* dest, const T* source, size_t n, int pe) {                            \
    calls::get_block(dest, source, n * sizeof(T), pe, true, "shmem_" #CALL "_get_nbi");                \
  }                                                                                                    \
  void shmem_##CALL##_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) { \
    calls::put_strided(dest, source, {dst, sst}, n, sizeof(T), pe, "shmem_" #CALL "_iput");            \
  }                                                                                                    \
  void shmem_##CALL##_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) { \
    calls::get_strided(dest, source, {dst, sst}, n, sizeof(T), pe, "shmem_" #CALL "_iget");            \
  }

#define DEFINE_RMA(A, NAME, T)                                                                                \
  void shmem_##NAME##_p(T* dest, T value, int pe) { calls::put_one(dest, value, pe, "shmem_" #NAME "_p"); }   \
  T shmem_##NAME##_g(const T* source, int pe) { return calls::get_one(source, pe, "shmem_" #NAME "_g"); }     \
  DEFINE_BLOCKS(NAME, T)                                                                                      \
  void shmem_ctx_##NAME##_p(shmem_ctx_t, T* dest, T value, int pe) { shmem_##NAME##_p(dest, value, pe); }     \
  T shmem_ctx_##NAME##_g(shmem_ctx_t, const T* source, int pe) { return shmem_##NAME##_g(source, pe); }       \
  void shmem_ctx_##NAME##_put(shmem_ctx_t, T* dest, const T* source, size_t n, int pe) {                      \
    shmem_##NAME##_put(dest, source, n, pe);                                                                  \
  }                                                                                                           \
  void shmem_ctx_##NAME##_get(shmem_ctx_t, T* dest, const T* source, size_t n, int pe) {                      \
    shmem_##NAME##_get(dest, source, n, pe);                                                                  \
  }                                                                                                           \
  void shmem_ctx_##NAME##_put_nbi(shmem_ctx_t, T* dest, const T* source, size_t n, int pe) {                  \
    shmem_##NAME##_put_nbi(dest, source, n, pe);                                                              \
  }                                                                                                           \
  void shmem_ctx_##NAME##_get_nbi(shmem_ctx_t, T* dest, const T* source, size_t n, int pe) {                  \
    shmem_##NAME##_get_nbi(dest, source, n, pe);                                                              \
  }                                                                                                           \
  void shmem_ctx_##NAME##_iput(shmem_ctx_t, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                               int pe) {                                                                      \
    shmem_##NAME##_iput(dest, source, dst, sst, n, pe);                                                       \
  }                                                                                                           \
  void shmem_ctx_##NAME##_iget(shmem_ctx_t, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                               int pe) {                                                                      \
    shmem_##NAME##_iget(dest, source, dst, sst, n, pe);                                                       \
  }

#define DEFINE_SIZED(SIZE, BYTES)                                                                 \
  void shmem_put##SIZE(void* dest, const void* source, size_t n, int pe) {                        \
    calls::put_block(dest, source, n*(BYTES), pe, false, "shmem_put" #SIZE);                      \
  }                                                                                               \
  void shmem_get##SIZE(void* dest, const void* source, size_t n, int pe) {                        \
    calls::get_block(dest, source, n*(BYTES), pe, false, "shmem_get" #SIZE);                      \
  }                                                                                               \
  void shmem_put##SIZE##_nbi(void* dest, const void* source, size_t n, int pe) {                  \
    calls::put_block(dest, source, n*(BYTES), pe, true, "shmem_put" #SIZE "_nbi");                \
  }                                                                                               \
  void shmem_get##SIZE##_nbi(void* dest, const void* source, size_t n, int pe) {                  \
    calls::get_block(dest, source, n*(BYTES), pe, true, "shmem_get" #SIZE "_nbi");                \
  }                                                                                               \
  void shmem_ctx_put##SIZE(shmem_ctx_t, void* dest, const void* source, size_t n, int pe) {       \
    shmem_put##SIZE(dest, source, n, pe);                                                         \
  }                                                                                               \
  void shmem_ctx_get##SIZE(shmem_ctx_t, void* dest, const void* source, size_t n, int pe) {       \
    shmem_get##SIZE(dest, source, n, pe);                                                         \
  }                                                                                               \
  void shmem_ctx_put##SIZE##_nbi(shmem_ctx_t, void* dest, const void* source, size_t n, int pe) { \
    shmem_put##SIZE##_nbi(dest, source, n, pe);                                                   \
  }                                                                                               \
  void shmem_ctx_get##SIZE##_nbi(shmem_ctx_t, void* dest, const void* source, size_t n, int pe) { \
    shmem_get##SIZE##_nbi(dest, source, n, pe);                                                   \
  }

#define DEFINE_STRIDED(SIZE)                                                                                     \
  void shmem_iput##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {        \
    calls::put_strided(dest, source, {dst, sst}, n, (SIZE) / 8, pe, "shmem_iput" #SIZE);                         \
  }                                                                                                              \
  void shmem_iget##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {        \
    calls::get_strided(dest, source, {dst, sst}, n, (SIZE) / 8, pe, "shmem_iget" #SIZE);                         \
  }                                                                                                              \
  void shmem_ctx_iput##SIZE(shmem_ctx_t, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                            int pe) {                                                                            \
    shmem_iput##SIZE(dest, source, dst, sst, n, pe);                                                             \
  }                                                                                                              \
  void shmem_ctx_iget##SIZE(shmem_ctx_t, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                            int pe) {                                                                            \
    shmem_iget##SIZE(dest, source, dst, sst, n, pe);                                                             \
  }

extern "C" {

SHOAL_SHMEM_RMA_(DEFINE_RMA, 0)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_RMA, 0)
DEFINE_SIZED(8, 1)
DEFINE_SIZED(16, 2)
DEFINE_SIZED(32, 4)
DEFINE_SIZED(64, 8)
DEFINE_SIZED(128, 16)
DEFINE_SIZED(mem, 1)
DEFINE_STRIDED(8)
DEFINE_STRIDED(16)
DEFINE_STRIDED(32)
DEFINE_STRIDED(64)
DEFINE_STRIDED(128)

}  // extern "C"
