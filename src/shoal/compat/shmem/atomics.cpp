// Atomics.
#include "shoal/compat/include/shmem.h"

// This file is compiled twice: for programs whose calls travel as messages, too.
#if SHOAL_AGGREGATED
#include "shoal/compat/internal/aggregated_reach.hpp"
namespace calls = shoal::internal::compat::aggregated;
#else
#include "shoal/compat/internal/atomic_access.hpp"
namespace calls = shoal::internal::compat;
#endif

#include "shoal/compat/include/shoal_compat/shmem_types.h"

using shoal::internal::atomic_op;

#define DEFINE_SWAP(A, NAME, T)                                                                                     \
  T shmem_##NAME##_atomic_fetch(const T* source, int pe) {                                                          \
    return calls::fetch(source, pe, "shmem_" #NAME "_atomic_fetch");                                                \
  }                                                                                                                 \
  T shmem_##NAME##_atomic_swap(T* dest, T value, int pe) {                                                          \
    return calls::change<atomic_op::exchange>(dest, value, pe, "shmem_" #NAME "_atomic_swap");                      \
  }                                                                                                                 \
  void shmem_##NAME##_atomic_set(T* dest, T value, int pe) {                                                        \
    calls::start_change<atomic_op::exchange>(dest, value, pe, "shmem_" #NAME "_atomic_set");                        \
  }                                                                                                                 \
  void shmem_##NAME##_atomic_fetch_nbi(T* into, const T* source, int pe) {                                          \
    calls::start_fetch<atomic_op::bit_or>(into, source, static_cast<T>(0), pe, "shmem_" #NAME "_atomic_fetch_nbi"); \
  }                                                                                                                 \
  void shmem_##NAME##_atomic_swap_nbi(T* into, T* dest, T value, int pe) {                                          \
    calls::start_fetch<atomic_op::exchange>(into, dest, value, pe, "shmem_" #NAME "_atomic_swap_nbi");              \
  }                                                                                                                 \
  T shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t, const T* source, int pe) {                                         \
    return shmem_##NAME##_atomic_fetch(source, pe);                                                                 \
  }                                                                                                                 \
  void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t, T* dest, T value, int pe) {                                       \
    shmem_##NAME##_atomic_set(dest, value, pe);                                                                     \
  }                                                                                                                 \
  T shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t, T* dest, T value, int pe) {                                         \
    return shmem_##NAME##_atomic_swap(dest, value, pe);                                                             \
  }                                                                                                                 \
  void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t, T* into, const T* source, int pe) {                         \
    shmem_##NAME##_atomic_fetch_nbi(into, source, pe);                                                              \
  }                                                                                                                 \
  void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {                         \
    shmem_##NAME##_atomic_swap_nbi(into, dest, value, pe);                                                          \
  }                                                                                                                 \
  T shmem_##NAME##_fetch(const T* source, int pe) { return shmem_##NAME##_atomic_fetch(source, pe); }               \
  void shmem_##NAME##_set(T* dest, T value, int pe) { shmem_##NAME##_atomic_set(dest, value, pe); }                 \
  T shmem_##NAME##_swap(T* dest, T value, int pe) { return shmem_##NAME##_atomic_swap(dest, value, pe); }

#define DEFINE_AMO(A, NAME, T)                                                                                        \
  T shmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe) {                                            \
    return calls::change<atomic_op::compare_exchange>(dest, value, pe, "shmem_" #NAME "_atomic_compare_swap", cond);  \
  }                                                                                                                   \
  T shmem_##NAME##_atomic_fetch_add(T* dest, T value, int pe) {                                                       \
    return calls::change<atomic_op::add>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_add");                        \
  }                                                                                                                   \
  T shmem_##NAME##_atomic_fetch_inc(T* dest, int pe) {                                                                \
    return calls::change<atomic_op::add>(dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_fetch_inc");            \
  }                                                                                                                   \
  void shmem_##NAME##_atomic_add(T* dest, T value, int pe) {                                                          \
    calls::start_change<atomic_op::add>(dest, value, pe, "shmem_" #NAME "_atomic_add");                               \
  }                                                                                                                   \
  void shmem_##NAME##_atomic_inc(T* dest, int pe) {                                                                   \
    calls::start_change<atomic_op::add>(dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_inc");                   \
  }                                                                                                                   \
  void shmem_##NAME##_atomic_compare_swap_nbi(T* into, T* dest, T cond, T value, int pe) {                            \
    calls::start_fetch<atomic_op::compare_exchange>(into, dest, value, pe, "shmem_" #NAME "_atomic_compare_swap_nbi", \
                                                    cond);                                                            \
  }                                                                                                                   \
  void shmem_##NAME##_atomic_fetch_add_nbi(T* into, T* dest, T value, int pe) {                                       \
    calls::start_fetch<atomic_op::add>(into, dest, value, pe, "shmem_" #NAME "_atomic_fetch_add_nbi");                \
  }                                                                                                                   \
  void shmem_##NAME##_atomic_fetch_inc_nbi(T* into, T* dest, int pe) {                                                \
    calls::start_fetch<atomic_op::add>(into, dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_fetch_inc_nbi");    \
  }                                                                                                                   \
  T shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t, T* dest, T cond, T value, int pe) {                           \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                                 \
  }                                                                                                                   \
  T shmem_ctx_##NAME##_atomic_fetch_add(shmem_ctx_t, T* dest, T value, int pe) {                                      \
    return shmem_##NAME##_atomic_fetch_add(dest, value, pe);                                                          \
  }                                                                                                                   \
  T shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t, T* dest, int pe) {                                               \
    return shmem_##NAME##_atomic_fetch_inc(dest, pe);                                                                 \
  }                                                                                                                   \
  void shmem_ctx_##NAME##_atomic_add(shmem_ctx_t, T* dest, T value, int pe) {                                         \
    shmem_##NAME##_atomic_add(dest, value, pe);                                                                       \
  }                                                                                                                   \
  void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t, T* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }           \
  void shmem_ctx_##NAME##_atomic_compare_swap_nbi(shmem_ctx_t, T* into, T* dest, T cond, T value, int pe) {           \
    shmem_##NAME##_atomic_compare_swap_nbi(into, dest, cond, value, pe);                                              \
  }                                                                                                                   \
  void shmem_ctx_##NAME##_atomic_fetch_add_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {                      \
    shmem_##NAME##_atomic_fetch_add_nbi(into, dest, value, pe);                                                       \
  }                                                                                                                   \
  void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t, T* into, T* dest, int pe) {                               \
    shmem_##NAME##_atomic_fetch_inc_nbi(into, dest, pe);                                                              \
  }                                                                                                                   \
  T shmem_##NAME##_cswap(T* dest, T cond, T value, int pe) {                                                          \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                                 \
  }                                                                                                                   \
  T shmem_##NAME##_fadd(T* dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_add(dest, value, pe); }        \
  T shmem_##NAME##_finc(T* dest, int pe) { return shmem_##NAME##_atomic_fetch_inc(dest, pe); }                        \
  void shmem_##NAME##_add(T* dest, T value, int pe) { shmem_##NAME##_atomic_add(dest, value, pe); }                   \
  void shmem_##NAME##_inc(T* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }

#define DEFINE_BIT(NAME, T, OP)                                                                                 \
  T shmem_##NAME##_atomic_fetch_##OP(T* dest, T value, int pe) {                                                \
    return calls::change<atomic_op::bit_##OP>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_" #OP);            \
  }                                                                                                             \
  void shmem_##NAME##_atomic_##OP(T* dest, T value, int pe) {                                                   \
    calls::start_change<atomic_op::bit_##OP>(dest, value, pe, "shmem_" #NAME "_atomic_" #OP);                   \
  }                                                                                                             \
  void shmem_##NAME##_atomic_fetch_##OP##_nbi(T* into, T* dest, T value, int pe) {                              \
    calls::start_fetch<atomic_op::bit_##OP>(into, dest, value, pe, "shmem_" #NAME "_atomic_fetch_" #OP "_nbi"); \
  }                                                                                                             \
  void shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {             \
    shmem_##NAME##_atomic_fetch_##OP##_nbi(into, dest, value, pe);                                              \
  }                                                                                                             \
  T shmem_ctx_##NAME##_atomic_fetch_##OP(shmem_ctx_t, T* dest, T value, int pe) {                               \
    return shmem_##NAME##_atomic_fetch_##OP(dest, value, pe);                                                   \
  }                                                                                                             \
  void shmem_ctx_##NAME##_atomic_##OP(shmem_ctx_t, T* dest, T value, int pe) {                                  \
    shmem_##NAME##_atomic_##OP(dest, value, pe);                                                                \
  }
#define DEFINE_BITS(A, NAME, T) DEFINE_BIT(NAME, T, and) DEFINE_BIT(NAME, T, or) DEFINE_BIT(NAME, T, xor)

extern "C" {

SHOAL_SHMEM_AMO_(DEFINE_SWAP, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_SWAP, 0)
SHOAL_SHMEM_REAL_(DEFINE_SWAP, 0)
SHOAL_SHMEM_AMO_(DEFINE_AMO, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_AMO, 0)
SHOAL_SHMEM_BITS_(DEFINE_BITS, 0)
SHOAL_SHMEM_BITS_NAMES_(DEFINE_BITS, 0)

long shmem_swap(long* dest, long value, int pe) { return shmem_long_swap(dest, value, pe); }

}  // extern "C"
