/// Atomics on symmetric words of 4 and 8 bytes, as the substrate's: all operations on an element go its one way, real
/// numbers by their bits. So they are atomic with one another.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "shoal/compat/internal/reach.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

namespace shoal::internal::compat {

template <class T>
using word_of = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

// On other PEs, and where a library carries out all of them.
[[gnu::noinline]] inline std::uint64_t change_far(atomic_op op, std::size_t bytes, std::size_t offset, int pe,
                                                  std::uint64_t operand, std::uint64_t expected) {
  const std::uint64_t old = here.memory->atomic(
      {.op = op, .bytes = static_cast<std::uint8_t>(bytes), .operand = operand, .expected = expected}, offset, pe);
  serve_others();
  return old;
}
[[gnu::noinline]] inline void start_add_far(std::size_t bytes, std::size_t offset, int pe, std::uint64_t operand) {
  here.memory->start_atomic({.op = atomic_op::add, .bytes = static_cast<std::uint8_t>(bytes), .operand = operand},
                            offset, pe);
  serve_others();
}

/// As apply_atomic (atomic_call.hpp), for an operation that is known: one instruction.
template <atomic_op Op, class Word>
[[gnu::always_inline]] inline Word change_here(Word& place, Word operand, [[maybe_unused]] Word expected) {
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

/// Returns what the element was. `expected`: by compare_exchange alone.
template <atomic_op Op, class T>
[[gnu::always_inline]] inline T change(const T* dest, T operand, int pe, const char* call, T expected = {}) {
  using word = word_of<T>;
  const std::size_t offset = place_of(dest, pe, call);
  const auto value = std::bit_cast<word>(operand);
  if (std::byte* const part = direct_part(pe)) [[likely]] {
    auto& place = *reinterpret_cast<word*>(part + offset);
    return std::bit_cast<T>(change_here<Op>(place, value, std::bit_cast<word>(expected)));
  }
  return std::bit_cast<T>(
      static_cast<word>(change_far(Op, sizeof(T), offset, pe, value, std::bit_cast<word>(expected))));
}

/// An atomic that changes nothing: a load would not be ordered with those that a library or another PE carries out.
template <class T>
T fetch(const T* source, int pe, const char* call) {
  return change<atomic_op::bit_or>(source, T{}, pe, call);
}

/// Complete at the next quiet, at the latest.
template <atomic_op Op, class T>
[[gnu::always_inline]] inline void start_change(T* dest, T operand, int pe, const char* call) {
  if constexpr (Op == atomic_op::add) {
    using word = word_of<T>;
    const std::size_t offset = place_of(dest, pe, call);
    const auto value = std::bit_cast<word>(operand);
    if (std::byte* const part = direct_part(pe)) [[likely]] {
      change_here<Op>(*reinterpret_cast<word*>(part + offset), value, word{});
    } else {
      start_add_far(sizeof(T), offset, pe, value);
    }
  } else {
    change<Op>(dest, operand, pe, call);
  }
}

/// The same, and what the element was goes to `into`.
template <atomic_op Op, class T>
[[gnu::always_inline]] inline void start_fetch(T* into, const T* dest, T operand, int pe, const char* call,
                                               T expected = {}) {
  *into = change<Op>(dest, operand, pe, call, expected);
}

}  // namespace shoal::internal::compat
