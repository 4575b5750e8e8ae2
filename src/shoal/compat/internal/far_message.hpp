/// What the messages of aggregated calls look like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

namespace shoal::internal::compat {

/// The first ones are atomics.
enum class far_op : std::uint8_t {
  add = static_cast<std::uint8_t>(atomic_op::add),
  compare_exchange = static_cast<std::uint8_t>(atomic_op::compare_exchange),
  put,
  get,
  confirm,  // answer, once all earlier calls of the sender are carried out
};
constexpr far_op far_op_of(atomic_op op) { return static_cast<far_op>(op); }

/// An operation, the length of its element (1 to 8 bytes), and a place: an offset in the heap, or where the asking PE
/// wants the answer.
class far_head {
public:
  far_head(far_op op, std::size_t bytes, std::uint64_t place) noexcept
      : bits_(std::uint64_t{static_cast<std::uint8_t>(op)} << 59 | std::uint64_t{bytes - 1} << place_bits | place) {}

  far_op op() const noexcept { return static_cast<far_op>(bits_ >> 59); }
  std::size_t bytes() const noexcept { return (bits_ >> place_bits & 7) + 1; }
  std::uint64_t place() const noexcept { return bits_ & ((std::uint64_t{1} << place_bits) - 1); }

private:
  static constexpr unsigned place_bits = 56;  // of addresses of programs, no processor uses more

  std::uint64_t bits_;
};

/// A call without result, or an answer.
struct far_word {
  far_head head;
  std::uint64_t value;
};

/// A call whose answer goes to `into`.
struct far_question {
  far_head head;
  std::uint64_t value;
  std::uint64_t into;
};

// --- Records: a put is its head and the bytes; an answer, too. The others:

struct far_compare {
  far_head head;
  std::uint64_t value;
  std::uint64_t expected;
  std::uint64_t into;
};
struct far_get {
  far_head head;  // of no element
  std::uint64_t bytes;
  std::uint64_t into;
};

inline constexpr item_kind word_kind{.number = 16, .bytes = sizeof(far_word), .align = alignof(far_word)};
inline constexpr item_kind question_kind{.number = 17, .bytes = sizeof(far_question), .align = alignof(far_question)};

inline const item_kind* far_kind(std::uint32_t number) noexcept {
  if (number == word_kind.number) return &word_kind;
  return number == question_kind.number ? &question_kind : nullptr;
}

}  // namespace shoal::internal::compat
