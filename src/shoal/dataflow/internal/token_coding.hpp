/// How a token travels to another PE: plain values, texts and vectors of plain elements as they are, others as archives
/// write them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "shoal/actor/internal/encoding.hpp"
#include "shoal/base/serialize.hpp"

namespace shoal::internal {

/// What may be a token: a value that a place of the ring can hold before any has come.
template <class T>
concept token = serializable<T> && !view<T> && std::default_initializable<T> && std::movable<T>;

/// A text, or a vector of plain elements; no type derived from these, which may have more.
template <class T>
inline constexpr bool is_of_elements = false;
template <class Element, class Allocator>
inline constexpr bool is_of_elements<std::vector<Element, Allocator>> =
    plain<Element> && !std::is_same_v<Element, bool>;
template <class Char, class Traits, class Allocator>
inline constexpr bool is_of_elements<std::basic_string<Char, Traits, Allocator>> = plain<Char>;
template <class T>
concept token_of_elements = is_of_elements<T>;

template <token T>
std::size_t size_of_token(const T& t) {
  if constexpr (plain<T>) {
    return sizeof(T);
  } else if constexpr (token_of_elements<T>) {
    return t.size() * sizeof(typename T::value_type);
  } else {
    size_archive size;
    size(t);
    return size.size();
  }
}

/// `from` is a T.
template <token T>
void write_token(std::byte* to, std::size_t bytes, const void* from) {
  const T& t = *static_cast<const T*>(from);
  if constexpr (plain<T>) {
    std::memcpy(to, &t, sizeof(T));
  } else if constexpr (token_of_elements<T>) {
    if (bytes != 0) std::memcpy(to, t.data(), bytes);
  } else {
    write_counted({to, bytes}, 0, typeid(T).name(), t);
  }
}

/// Texts and vectors keep the memory that `into` has. False: the bytes are no T.
template <token T>
bool read_token(std::span<const std::byte> from, T& into) {
  if constexpr (plain<T>) {
    if (from.size() != sizeof(T)) return false;
    std::memcpy(&into, from.data(), sizeof(T));
    return true;
  } else if constexpr (token_of_elements<T>) {
    using element = typename T::value_type;
    if (from.size() % sizeof(element) != 0) return false;
    into.resize(from.size() / sizeof(element));
    if (!from.empty()) std::memcpy(into.data(), from.data(), from.size());
    return true;
  } else {
    input_archive in(from);
    T fresh{};  // what is not read has no value of an earlier token
    in(fresh);
    if (!in.is_used_up()) return false;
    into = std::move(fresh);
    return true;
  }
}

/// The message of a token: number of the in-port on its PE, number of the token, and its bytes. Or of a count of what was read
/// (channel_messages.cpp).
struct token_head {
  std::uint32_t port;
  std::uint32_t number;
};
struct token_message {
  token_head head;
  std::span<const std::byte> bytes;
};
struct token_to_send {
  token_head head;
  std::size_t bytes;
  void (*write)(std::byte* to, std::size_t bytes, const void* from);
  const void* from;
};

template <>
struct sent_as<token_message> {
  using type = token_to_send;
};

template <>
struct encoding<token_message> {
  static constexpr std::uint32_t align = 8;
  static constexpr bool is_padded = false;

  static std::size_t size(const token_to_send& m) noexcept { return sizeof(token_head) + m.bytes; }
  static void write(std::byte* to, std::size_t, const token_to_send& m) {
    std::memcpy(to, &m.head, sizeof m.head);
    m.write(to + sizeof m.head, m.bytes, m.from);
  }
  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    if (from.size() < sizeof(token_head)) return false;
    token_message m;
    std::memcpy(&m.head, from.data(), sizeof m.head);
    m.bytes = from.subspan(sizeof m.head);
    f(std::move(m));
    return true;
  }
};

}  // namespace shoal::internal
