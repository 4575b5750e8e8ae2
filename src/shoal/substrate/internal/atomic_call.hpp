/// Atomic operations on words of the symmetric heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace shoal::internal {

enum class atomic_op : std::uint8_t { add, bit_and, bit_or, bit_xor, exchange, compare_exchange };

/// One operation on an aligned word of 4 or 8 bytes. All operations on a word take it for equally long.
struct atomic_call {
  atomic_op op = atomic_op::add;
  std::uint8_t bytes = sizeof(std::uint64_t);
  std::uint64_t operand = 0;  // of 4 bytes, the lower ones count
  std::uint64_t expected = 0;  // by compare_exchange alone
};

template <class Word>
Word apply_atomic(const atomic_call& call, Word& place) noexcept {
  const std::atomic_ref word(place);
  const auto operand = static_cast<Word>(call.operand);
  constexpr auto order = std::memory_order_relaxed;
  if (call.op == atomic_op::add) return word.fetch_add(operand, order);  // most of all: no table of jumps
  switch (call.op) {
    case atomic_op::add: break;
    case atomic_op::bit_and: return word.fetch_and(operand, order);
    case atomic_op::bit_or: return word.fetch_or(operand, order);
    case atomic_op::bit_xor: return word.fetch_xor(operand, order);
    case atomic_op::exchange: return word.exchange(operand, order);
    case atomic_op::compare_exchange: break;
  }
  auto old = static_cast<Word>(call.expected);
  word.compare_exchange_strong(old, operand, order);
  return old;
}

/// Carries `call` out by this processor, on memory that it reaches. Returns what the word was.
inline std::uint64_t apply_atomic(const atomic_call& call, std::byte* place) noexcept {
  if (call.bytes == sizeof(std::uint32_t)) {
    return apply_atomic(call, *reinterpret_cast<std::uint32_t*>(place));
  }
  return apply_atomic(call, *reinterpret_cast<std::uint64_t*>(place));
}

}  // namespace shoal::internal
