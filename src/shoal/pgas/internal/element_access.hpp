/// Single elements of arrays: what loops over them send, and how they are changed one by one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "shoal/actor/world.hpp"
#include "shoal/base/types.hpp"
#include "shoal/pgas/internal/array_messages.hpp"
#include "shoal/pgas/internal/iteration_checks.hpp"

namespace shoal::internal {

/// What an element was when its owner came to the question.
template <std::size_t N>
using element_bytes = std::array<std::byte, N>;

struct element_query {
  pe_id pe;
  std::uint64_t at;
  std::uint64_t* value_to;  // null if it is larger than a word

  operator std::uint64_t() const noexcept { return at; }  // what travels
};

template <std::size_t N>
element_bytes<N> bytes_at(world& there, std::uint64_t at) {
  element_bytes<N> bytes;
  std::memcpy(bytes.data(), there.local(symmetric<std::byte>{at, N}).data(), N);
  return bytes;
}

// Changes of an element, as closures at its owner.
template <class T>
struct put_element {
  static constexpr element_use use = element_use::put;

  std::uint64_t at;
  packed_value<T> value;
  void operator()(world& there) const noexcept { store_element(there.local(symmetric<T>{at, 1}).front(), value.get()); }
};
template <class T>
struct add_element {
  static constexpr element_use use = element_use::add;

  std::uint64_t at;
  packed_value<T> value;
  void operator()(world& there) const noexcept {
    T& element = there.local(symmetric<T>{at, 1}).front();
    store_element(element, sum_of(load_element(element), value.get()));
  }
};

/// What `+=` is for outside such loops: one atomic operation, or as many as it takes.
template <class T>
inline constexpr bool is_added_at_once = atomic_item<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
void add_at_once(world& home, const symmetric<T>& array, std::size_t index, const T& value, pe_id pe) {
  if constexpr (atomic_item<T>) {
    static_cast<void>(home.fetch_add(array, index, value, pe));
  } else {
    using bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    const symmetric<bits> words{array.offset, array.size};
    bits before = home.get(words, index, pe);
    for (;;) {
      const bits after = std::bit_cast<bits>(sum_of(std::bit_cast<T>(before), value));
      const bits found = home.compare_exchange(words, index, before, after, pe);
      if (found == before) return;
      before = found;
    }
  }
}
template <class T>
T negative_of(const T& value) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(value));
  } else {
    return -value;
  }
}

}  // namespace shoal::internal
