/// Checks, in checked builds, that the turns of a loop are as independent as `#pragma shoal independent` says.
/// shoal-translate writes the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

/// One turn of a loop on one PE; a part of each message that the turn sends. Takes no room in other builds.
struct loop_turn {
#if SHOAL_CHECKED
  std::int64_t number = 0;  // from 1 on
  pe_id pe = 0;

  bool operator==(const loop_turn&) const = default;
#endif
};

namespace internal {

#if SHOAL_CHECKED

/// What turns have touched on this PE.
class touched_elements {
public:
  explicit touched_elements(const char* loop) noexcept;
  ~touched_elements();
  touched_elements(const touched_elements&) = delete;
  touched_elements& operator=(const touched_elements&) = delete;

  loop_turn next() noexcept;
  void read(const void* element, loop_turn turn);
  /// Before the element becomes `value`, which has as many bytes.
  void write(const void* element, const void* value, std::size_t bytes, loop_turn turn);
  void update(const void* element, char operation, loop_turn turn);

private:
  struct table;
  const owner<table> table_;
};

#else

struct touched_elements {
  constexpr explicit touched_elements(const char*) noexcept {}
  loop_turn next() noexcept { return {}; }
  void read(const void*, loop_turn) noexcept {}
  void write(const void*, const void*, std::size_t, loop_turn) noexcept {}
  void update(const void*, char, loop_turn) noexcept {}
};

#endif

}  // namespace internal

/// What one execution of a loop touches on this PE. The job ends with a report if two turns, of one PE or of two, touch
/// one element in a way that depends on their order. Turns may all read an element, write the same value to it, or update
/// it by the same operation. Each call comes before the access. Local, does not wait. Nothing in other builds.
class loop_check {
public:
  /// `loop`: file and line, for reports; has to stay.
  explicit loop_check(const char* loop) noexcept : touched_(loop) {}

  /// The turn that begins now on this PE.
  loop_turn next() noexcept { return touched_.next(); }

  template <class T>
  void reads(const T& element, loop_turn turn) {
    touched_.read(&element, turn);
  }
  template <class T>
  void reads_all(const T* first, std::size_t n, loop_turn turn) {
    for (std::size_t i = 0; i < n; ++i) reads(first[i], turn);
  }

  template <class T>
  void writes(const T& element, const std::type_identity_t<T>& value, loop_turn turn) {
    touched_.write(&element, &value, sizeof(T), turn);
  }
  template <class T, class Values>
  void writes_all(const T* first, const Values& values, loop_turn turn) {
    for (const T& each : values) writes(*first++, each, turn);
  }

  /// `operation`: '+', '&', '|' or '^'.
  template <class T>
  void updates(const T& element, char operation, loop_turn turn) {
    touched_.update(&element, operation, turn);
  }

  /// Writes if the element is `expected`.
  template <class T>
  void compare_swaps(const T& element, const std::type_identity_t<T>& expected, const std::type_identity_t<T>& value,
                     loop_turn turn) {
    reads(element, turn);
    if (element == expected) writes(element, value, turn);
  }

private:
  [[no_unique_address]] internal::touched_elements touched_;
};

static_assert(SHOAL_CHECKED || (std::is_empty_v<loop_turn> && std::is_empty_v<loop_check>));

}  // namespace shoal
