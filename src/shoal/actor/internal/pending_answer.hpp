/// The place of one answer, and what waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "shoal/base/internal/watched.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

struct awaited_end;
struct pending_answer;
class superstep_part;

struct pending_answer;

/// What waits for an answer, and runs when it is there. It frees itself.
struct continuation {
  continuation() = default;
  continuation(const continuation&) = delete;
  continuation& operator=(const continuation&) = delete;

  /// The answer is there. In handlers: sends do not wait.
  virtual void run() = 0;
  /// The answer never comes: the world ends.
  virtual void drop() noexcept = 0;
  /// It is a reply to this PE; -1: it is none.
  virtual pe_id replies_to() const noexcept { return -1; }
  /// The mailbox for which it counts, if it is a task of the main program that makes no others before this answer.
  virtual const superstep_part* mailbox_of_task() const noexcept { return nullptr; }
  /// The answer that it makes of this one, or of several; null: none, or another.
  virtual const pending_answer* gives() const noexcept { return nullptr; }

  continuation* next = nullptr;  // of those that are ready
  superstep_part* whose = nullptr;  // the mailbox that counts it as work that was left; null outside finish
  std::source_location where;  // where the program waits

protected:
  ~continuation() = default;
};

/// What will make an answer of another one. Nobody may want that answer, as of most functions given to `then`: then its
/// place is closed at once, so that a question takes two cache lines, not three.
struct answer_maker {
  pending_answer* to;  // null: nobody wants it
};

/// The place of an answer.
struct alignas(cache_line_bytes) pending_answer {
  union {
    continuation* waiting;  // null: nothing
    pending_answer* next_free;
  };
  std::source_location where;  // of the question, or of what promised the answer
  std::uint32_t number;
  std::int32_t asked;  // the PE, or one of the values below
  // The first four in a row, so that one store sets them.
  bool is_open;
  bool is_wanted;  // a future, or what waits, will take the value
  bool is_abandoned;  // whatever should have made the answer is gone
  bool has_maker;  // `value` begins with the address of an answer_maker, until that runs
  bool follows_end;  // the address of an awaited_end comes next in `value`, until the answer is there
  watched<bool> is_ready;  // the value is there; tasks on other workers look
  std::uint16_t asked_world;  // the last bits of its number (team_worlds::of_answer)
  static constexpr std::int32_t of_here = -1;  // the answer is made here
  static constexpr std::int32_t of_many = -2;  // ask_all
  static constexpr std::int32_t of_end = -3;  // mailbox::closed
  static constexpr std::int32_t of_background = -4;  // started_collectives
  static constexpr std::size_t value_bytes = 32;
  alignas(16) std::byte value[value_bytes];

  void set_maker(answer_maker& maker) noexcept {
    has_maker = true;
    ::new (static_cast<void*>(value)) answer_maker*(&maker);
  }
  answer_maker& maker() noexcept { return **std::launder(reinterpret_cast<answer_maker**>(value)); }

  /// The answer is the end of some mailboxes, or is made of that.
  void follow(awaited_end& its) noexcept {
    follows_end = true;
    ::new (static_cast<void*>(value + sizeof(answer_maker*))) awaited_end*(&its);
  }
  awaited_end& end() noexcept { return **std::launder(reinterpret_cast<awaited_end**>(value + sizeof(answer_maker*))); }
};
static_assert(sizeof(pending_answer) == cache_line_bytes);

/// How a value of type T lies in the place of its answer: inside, if it fits.
template <class T>
struct answer_value {
  static constexpr bool is_inside = sizeof(T) <= pending_answer::value_bytes && alignof(T) <= 16;

  static void put(pending_answer& a, T&& value) {
    if constexpr (is_inside) {
      ::new (static_cast<void*>(a.value)) T(std::move(value));
    } else {
      ::new (static_cast<void*>(a.value)) T*(new T(std::move(value)));
    }
  }
  static T& of(pending_answer& a) noexcept {
    if constexpr (is_inside) {
      return *std::launder(reinterpret_cast<T*>(a.value));
    } else {
      return **std::launder(reinterpret_cast<T**>(a.value));
    }
  }
  static void destroy(pending_answer& a) noexcept {
    if constexpr (is_inside) {
      of(a).~T();
    } else {
      delete &of(a);
    }
  }
};

/// The value of an answer of which nothing is told but that it is there.
struct bare_answer {};
template <class T>
using value_of_answer = std::conditional_t<std::is_void_v<T>, bare_answer, T>;

}  // namespace shoal::internal
