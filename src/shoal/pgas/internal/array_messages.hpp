/// What distributed arrays send, and how elements are read and written.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "shoal/actor/selector.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Whether one instruction loads or stores an element: then other PEs of its node may read it while its owner writes.
template <class T>
inline constexpr bool is_one_word =
    std::is_trivially_copyable_v<T> && alignof(T) == sizeof(T) && sizeof(T) <= sizeof(std::uint64_t);

template <class T>
T load_element(const T& from) noexcept {
  if constexpr (is_one_word<T>) {
    return std::atomic_ref<T>(const_cast<T&>(from)).load(std::memory_order_relaxed);
  } else {
    return from;
  }
}
template <class T>
void store_element(T& to, const T& value) noexcept {
  if constexpr (is_one_word<T>) {
    std::atomic_ref<T>(to).store(value, std::memory_order_relaxed);
  } else {
    std::memcpy(static_cast<void*>(&to), &value, sizeof(T));
  }
}

/// A value without the padding that its alignment would add to a message.
template <class T>
struct packed_value {
  std::array<std::byte, sizeof(T)> bytes;

  explicit packed_value(const T& value) noexcept { std::memcpy(bytes.data(), &value, sizeof(T)); }
  T get() const noexcept {
    alignas(T) std::array<std::byte, sizeof(T)> aligned = bytes;
    return *reinterpret_cast<const T*>(aligned.data());
  }
};

// Closures on a PE's part. The owner alone writes its part, in its handlers or its main program, one at a time: so what
// they read and write is atomic without an atomic instruction.
template <class T>
struct put_message {
  std::uint32_t at;
  packed_value<T> value;
  void operator()(T& part) const noexcept { store_element((&part)[at], value.get()); }
};
/// The sum; integers wrap, signed ones, too.
template <class T>
T sum_of(T a, T b) noexcept {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // Unsigned, so that it is defined; the conversion back wraps.
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return static_cast<T>(a + b);
  }
}
template <class T>
struct add_message {
  std::uint32_t at;
  packed_value<T> value;
  void operator()(T& part) const noexcept {
    T& element = (&part)[at];
    store_element(element, sum_of(load_element(element), value.get()));
  }
};
template <class T>
struct get_question {
  std::uint32_t at;
  T operator()(T& part) const noexcept { return (&part)[at]; }
};
template <class T>
struct compare_exchange_question {
  std::uint32_t at;
  packed_value<T> expected;
  packed_value<T> desired;
  T operator()(T& part) const noexcept {
    T& element = (&part)[at];
    const T before = element;
    if (std::memcmp(&before, expected.bytes.data(), sizeof(T)) == 0) store_element(element, desired.get());
    return before;
  }
};

/// Reads elements in order.
struct gather_query {
  std::uint32_t slot;
  std::uint32_t at;
};
template <class T>
struct gather_reply {
  std::uint32_t slot;
  packed_value<T> value;
};
template <class T>
struct gatherer : selector<gatherer<T>, gather_query, gather_reply<T>> {
  gatherer(world& w, const T* its_part, std::span<T> its_into)
      : gatherer::selector(w, "gather"), part(its_part), into(its_into) {}

  void process(const gather_query& q, pe_id from) {
    this->send(from, gather_reply<T>{q.slot, packed_value<T>(part[q.at])});
  }
  void process(const gather_reply<T>& r) { into[r.slot] = r.value.get(); }

  const T* part;
  std::span<T> into;
};

}  // namespace shoal::internal
