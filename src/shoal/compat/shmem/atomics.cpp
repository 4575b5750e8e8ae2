// Atomics. Those of OpenSHMEM are on words of 4 and 8 bytes, as the substrate's: all operations on an element go its one
// way, real numbers by their bits. So they are atomic with one another.
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

#include "shoal/compat/include/shoal_compat/shmem_types.h"

namespace compat = shoal::internal::compat;
using shoal::internal::atomic_op;

namespace {

template <class T>
using word_of = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

// On other PEs, and where a library carries out all of them.
[[gnu::noinline]] std::uint64_t apply_far(atomic_op op, std::size_t bytes, std::size_t offset, int pe,
                                          std::uint64_t operand, std::uint64_t expected) {
  const std::uint64_t old = compat::here.memory->atomic(
      {.op = op, .bytes = static_cast<std::uint8_t>(bytes), .operand = operand, .expected = expected}, offset, pe);
  compat::serve_others();
  return old;
}
[[gnu::noinline]] void start_add_far(std::size_t bytes, std::size_t offset, int pe, std::uint64_t operand) {
  compat::here.memory->start_atomic(
      {.op = atomic_op::add, .bytes = static_cast<std::uint8_t>(bytes), .operand = operand}, offset, pe);
  compat::serve_others();
}

// As apply_atomic (atomic_call.hpp), for an operation that is known: one instruction.
template <atomic_op Op, class Word>
[[gnu::always_inline]] inline Word apply_here(Word& place, Word operand, [[maybe_unused]] Word expected) {
  const std::atomic_ref word(place);
  constexpr auto order = std::memory_order_relaxed;
  if constexpr (Op == atomic_op::add) return word.fetch_add(operand, order);
  if constexpr (Op == atomic_op::bit_and) return word.fetch_and(operand, order);
  if constexpr (Op == atomic_op::bit_or) return word.fetch_or(operand, order);
  if constexpr (Op == atomic_op::bit_xor) return word.fetch_xor(operand, order);
  if constexpr (Op == atomic_op::exchange) return word.exchange(operand, order);
  if constexpr (Op == atomic_op::compare_exchange) word.compare_exchange_strong(expected, operand, order);
  return expected;
}

template <atomic_op Op, class T>
[[gnu::always_inline]] inline T apply(const T* dest, T operand, int pe, const char* call, T expected = {}) {
  using word = word_of<T>;
  const std::size_t offset = compat::place_of(dest, pe, call);
  const auto value = std::bit_cast<word>(operand);
  if (std::byte* const part = compat::direct_part(pe)) [[likely]] {
    auto& place = *reinterpret_cast<word*>(part + offset);
    return std::bit_cast<T>(apply_here<Op>(place, value, std::bit_cast<word>(expected)));
  }
  return std::bit_cast<T>(
      static_cast<word>(apply_far(Op, sizeof(T), offset, pe, value, std::bit_cast<word>(expected))));
}

template <class T>
[[gnu::always_inline]] inline void start_add(T* dest, T operand, int pe, const char* call) {
  using word = word_of<T>;
  const std::size_t offset = compat::place_of(dest, pe, call);
  const auto value = std::bit_cast<word>(operand);
  if (std::byte* const part = compat::direct_part(pe)) [[likely]] {
    apply_here<atomic_op::add>(*reinterpret_cast<word*>(part + offset), value, word{});
  } else {
    start_add_far(sizeof(T), offset, pe, value);
  }
}

// An atomic that changes nothing: a load would not be ordered with those that a library or another PE carries out.
template <class T>
T fetch(const T* source, int pe, const char* call) {
  return apply<atomic_op::bit_or>(source, T{}, pe, call);
}

}  // namespace

#define DEFINE_SWAP(A, NAME, T)                                                                                        \
  T shmem_##NAME##_atomic_fetch(const T* source, int pe) { return fetch(source, pe, "shmem_" #NAME "_atomic_fetch"); } \
  T shmem_##NAME##_atomic_swap(T* dest, T value, int pe) {                                                             \
    return apply<atomic_op::exchange>(dest, value, pe, "shmem_" #NAME "_atomic_swap");                                 \
  }                                                                                                                    \
  void shmem_##NAME##_atomic_set(T* dest, T value, int pe) {                                                           \
    apply<atomic_op::exchange>(dest, value, pe, "shmem_" #NAME "_atomic_set");                                         \
  }                                                                                                                    \
  void shmem_##NAME##_atomic_fetch_nbi(T* into, const T* source, int pe) {                                             \
    *into = fetch(source, pe, "shmem_" #NAME "_atomic_fetch_nbi");                                                     \
  }                                                                                                                    \
  void shmem_##NAME##_atomic_swap_nbi(T* into, T* dest, T value, int pe) {                                             \
    *into = apply<atomic_op::exchange>(dest, value, pe, "shmem_" #NAME "_atomic_swap_nbi");                            \
  }                                                                                                                    \
  T shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t, const T* source, int pe) {                                            \
    return shmem_##NAME##_atomic_fetch(source, pe);                                                                    \
  }                                                                                                                    \
  void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t, T* dest, T value, int pe) {                                          \
    shmem_##NAME##_atomic_set(dest, value, pe);                                                                        \
  }                                                                                                                    \
  T shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t, T* dest, T value, int pe) {                                            \
    return shmem_##NAME##_atomic_swap(dest, value, pe);                                                                \
  }                                                                                                                    \
  void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t, T* into, const T* source, int pe) {                            \
    shmem_##NAME##_atomic_fetch_nbi(into, source, pe);                                                                 \
  }                                                                                                                    \
  void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {                            \
    shmem_##NAME##_atomic_swap_nbi(into, dest, value, pe);                                                             \
  }                                                                                                                    \
  T shmem_##NAME##_fetch(const T* source, int pe) { return shmem_##NAME##_atomic_fetch(source, pe); }                  \
  void shmem_##NAME##_set(T* dest, T value, int pe) { shmem_##NAME##_atomic_set(dest, value, pe); }                    \
  T shmem_##NAME##_swap(T* dest, T value, int pe) { return shmem_##NAME##_atomic_swap(dest, value, pe); }

#define DEFINE_AMO(A, NAME, T)                                                                                    \
  T shmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe) {                                        \
    return apply<atomic_op::compare_exchange>(dest, value, pe, "shmem_" #NAME "_atomic_compare_swap", cond);      \
  }                                                                                                               \
  T shmem_##NAME##_atomic_fetch_add(T* dest, T value, int pe) {                                                   \
    return apply<atomic_op::add>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_add");                            \
  }                                                                                                               \
  T shmem_##NAME##_atomic_fetch_inc(T* dest, int pe) {                                                            \
    return apply<atomic_op::add>(dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_fetch_inc");                \
  }                                                                                                               \
  void shmem_##NAME##_atomic_add(T* dest, T value, int pe) {                                                      \
    start_add(dest, value, pe, "shmem_" #NAME "_atomic_add");                                                     \
  }                                                                                                               \
  void shmem_##NAME##_atomic_inc(T* dest, int pe) {                                                               \
    start_add(dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_inc");                                         \
  }                                                                                                               \
  void shmem_##NAME##_atomic_compare_swap_nbi(T* into, T* dest, T cond, T value, int pe) {                        \
    *into = apply<atomic_op::compare_exchange>(dest, value, pe, "shmem_" #NAME "_atomic_compare_swap_nbi", cond); \
  }                                                                                                               \
  void shmem_##NAME##_atomic_fetch_add_nbi(T* into, T* dest, T value, int pe) {                                   \
    *into = apply<atomic_op::add>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_add_nbi");                       \
  }                                                                                                               \
  void shmem_##NAME##_atomic_fetch_inc_nbi(T* into, T* dest, int pe) {                                            \
    *into = apply<atomic_op::add>(dest, static_cast<T>(1), pe, "shmem_" #NAME "_atomic_fetch_inc_nbi");           \
  }                                                                                                               \
  T shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t, T* dest, T cond, T value, int pe) {                       \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                             \
  }                                                                                                               \
  T shmem_ctx_##NAME##_atomic_fetch_add(shmem_ctx_t, T* dest, T value, int pe) {                                  \
    return shmem_##NAME##_atomic_fetch_add(dest, value, pe);                                                      \
  }                                                                                                               \
  T shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t, T* dest, int pe) {                                           \
    return shmem_##NAME##_atomic_fetch_inc(dest, pe);                                                             \
  }                                                                                                               \
  void shmem_ctx_##NAME##_atomic_add(shmem_ctx_t, T* dest, T value, int pe) {                                     \
    shmem_##NAME##_atomic_add(dest, value, pe);                                                                   \
  }                                                                                                               \
  void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t, T* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }       \
  void shmem_ctx_##NAME##_atomic_compare_swap_nbi(shmem_ctx_t, T* into, T* dest, T cond, T value, int pe) {       \
    shmem_##NAME##_atomic_compare_swap_nbi(into, dest, cond, value, pe);                                          \
  }                                                                                                               \
  void shmem_ctx_##NAME##_atomic_fetch_add_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {                  \
    shmem_##NAME##_atomic_fetch_add_nbi(into, dest, value, pe);                                                   \
  }                                                                                                               \
  void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t, T* into, T* dest, int pe) {                           \
    shmem_##NAME##_atomic_fetch_inc_nbi(into, dest, pe);                                                          \
  }                                                                                                               \
  T shmem_##NAME##_cswap(T* dest, T cond, T value, int pe) {                                                      \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                             \
  }                                                                                                               \
  T shmem_##NAME##_fadd(T* dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_add(dest, value, pe); }    \
  T shmem_##NAME##_finc(T* dest, int pe) { return shmem_##NAME##_atomic_fetch_inc(dest, pe); }                    \
  void shmem_##NAME##_add(T* dest, T value, int pe) { shmem_##NAME##_atomic_add(dest, value, pe); }               \
  void shmem_##NAME##_inc(T* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }

#define DEFINE_BIT(NAME, T, OP)                                                                      \
  T shmem_##NAME##_atomic_fetch_##OP(T* dest, T value, int pe) {                                     \
    return apply<atomic_op::bit_##OP>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_" #OP);         \
  }                                                                                                  \
  void shmem_##NAME##_atomic_##OP(T* dest, T value, int pe) {                                        \
    apply<atomic_op::bit_##OP>(dest, value, pe, "shmem_" #NAME "_atomic_" #OP);                      \
  }                                                                                                  \
  void shmem_##NAME##_atomic_fetch_##OP##_nbi(T* into, T* dest, T value, int pe) {                   \
    *into = apply<atomic_op::bit_##OP>(dest, value, pe, "shmem_" #NAME "_atomic_fetch_" #OP "_nbi"); \
  }                                                                                                  \
  void shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(shmem_ctx_t, T* into, T* dest, T value, int pe) {  \
    shmem_##NAME##_atomic_fetch_##OP##_nbi(into, dest, value, pe);                                   \
  }                                                                                                  \
  T shmem_ctx_##NAME##_atomic_fetch_##OP(shmem_ctx_t, T* dest, T value, int pe) {                    \
    return shmem_##NAME##_atomic_fetch_##OP(dest, value, pe);                                        \
  }                                                                                                  \
  void shmem_ctx_##NAME##_atomic_##OP(shmem_ctx_t, T* dest, T value, int pe) {                       \
    shmem_##NAME##_atomic_##OP(dest, value, pe);                                                     \
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
