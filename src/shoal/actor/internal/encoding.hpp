/// How a message of any size lies in a record: lists and texts as they are, other types as archives write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "shoal/actor/list.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/serialize.hpp"

namespace shoal::internal {

template <class M>
inline constexpr bool is_list = false;
template <class Header, class Element>
inline constexpr bool is_list<list<Header, Element>> = true;

/// Whether messages of this type may differ in size: they travel as records.
template <class M>
concept message_of_any_size = is_list<M> || std::is_same_v<M, std::string_view> || (!plain<M> && serializable<M>);

/// What a send takes for a message of type M: a view, if M owns plain bytes.
template <class M>
struct sent_as {
  using type = M;
};
template <>
struct sent_as<std::string> {
  using type = std::string_view;
};
template <std::size_t N>
struct sent_as<char[N]> {
  using type = std::string_view;
};
template <>
struct sent_as<const char*> {
  using type = std::string_view;
};
template <class T, class Allocator>
  requires plain<T> && (!std::is_same_v<T, bool>)
struct sent_as<std::vector<T, Allocator>> {
  using type = std::span<const T>;
};
template <class M>
using sent_as_t = typename sent_as<M>::type;

/// Objects in a record, read in place.
template <class T>
std::span<const T> objects_in(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Ends the job: the archive has begun a message of this type that nobody could read.
[[noreturn, gnu::cold]] void wrote_otherwise(const char* type_name, bool has_thrown);

/// Writes values that a size_archive has counted, behind `offset` bytes that are written already.
template <class... Values>
void write_counted(std::span<std::byte> to, std::size_t offset, const char* type_name, const Values&... values) {
  output_archive out(to, offset);
  try {
    out(values...);
  } catch (...) {
    wrote_otherwise(type_name, true);
  }
  if (!out.is_full()) [[unlikely]]
    wrote_otherwise(type_name, false);
}

/// The encoding of M: `size`, `write` to as many bytes, and `read`, which gives `f` a message; false: the bytes are no message of this
/// type. `align` is that of its records. `is_padded`: all sizes are multiples of 8.
///
/// Types for which no encoding is specialised below are written by archives.
template <class M>
struct encoding {
  static constexpr std::uint32_t align = 8;
  static constexpr bool is_padded = false;

  static std::size_t size(const sent_as_t<M>& m) {
    size_archive size;
    size(m);
    return size.size();
  }
  static void write(std::byte* to, std::size_t bytes, const sent_as_t<M>& m) {
    write_counted({to, bytes}, 0, typeid(M).name(), m);
  }
  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    static_assert(std::is_default_constructible_v<M>,
                  "a message is read into a value that its default constructor makes, which its type lacks");
    input_archive in(from);
    M m{};
    in(m);
    if (!in.is_used_up()) return false;
    f(std::move(m));
    return true;
  }
};

/// Types of which a message is a head of constant size and then plain bytes. They give these for sends in fragments, which
/// need no copy.
template <class E>
concept encodes_in_pieces = requires { E::head_bytes; };

template <class Element>
struct encoding<list<Element, void>> {
  static_assert(item<Element>, "the elements of a list travel as bytes: make their type trivially copyable");
  static_assert(holds_no_address<Element>());
  static constexpr std::uint32_t align = alignof(Element) > 8 ? alignof(Element) : 8;
  static_assert(align <= cache_line_bytes, "elements of a list are aligned to at most 64 bytes");
  static constexpr bool is_padded = sizeof(Element) % 8 == 0;

  static std::size_t size(const list<Element>& m) noexcept { return m.size() * sizeof(Element); }
  static void write(std::byte* to, std::size_t, const list<Element>& m) noexcept {
    if (m.size() == 1) {
      std::memcpy(to, m.begin(), sizeof(Element));  // of a constant size
    } else if (!m.empty()) {
      std::memcpy(to, m.begin(), m.size() * sizeof(Element));
    }
  }
  /// For sends in fragments: the bytes before the elements, and the elements.
  static std::span<const std::byte> head(const list<Element>&, std::byte*) noexcept { return {}; }
  static std::span<const std::byte> body(const list<Element>& m) noexcept { return std::as_bytes(m.elements); }
  static constexpr std::size_t head_bytes = 0;

  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    SHOAL_ASSERT(from.size() % sizeof(Element) == 0);
    f(list<Element>(objects_in<Element>(from)));
    return true;
  }
};

template <class Header, class Element>
struct encoding<list<Header, Element>> {
  using M = list<Header, Element>;
  static_assert(item<Header> && item<Element>,
                "header and elements of a list travel as bytes: make their types trivially copyable");
  static_assert(holds_no_address<Header>() && holds_no_address<Element>());
  static constexpr std::uint32_t align = alignof(Header) > encoding<list<Element>>::align
                                             ? alignof(Header)
                                             : encoding<list<Element>>::align;
  static_assert(align <= cache_line_bytes, "header and elements of a list are aligned to at most 64 bytes");
  static constexpr std::size_t head_bytes = (sizeof(Header) + alignof(Element) - 1) & ~(alignof(Element) - 1);
  static constexpr bool is_padded = head_bytes % 8 == 0 && sizeof(Element) % 8 == 0;

  static std::size_t size(const M& m) noexcept { return head_bytes + m.size() * sizeof(Element); }
  static std::span<const std::byte> head(const M& m, std::byte* memory) noexcept {
    // The byte of an object without members has no value.
    constexpr bool is_empty = std::is_empty_v<Header>;
    if constexpr (is_empty || head_bytes != sizeof(Header)) std::memset(memory, 0, head_bytes);
    if constexpr (!is_empty) std::memcpy(memory, &m.header, sizeof(Header));
    return {memory, head_bytes};
  }
  static std::span<const std::byte> body(const M& m) noexcept { return std::as_bytes(m.elements); }
  static void write(std::byte* to, std::size_t bytes, const M& m) noexcept {
    head(m, to);
    encoding<list<Element>>::write(to + head_bytes, bytes - head_bytes, list<Element>(m.elements));
  }
  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    SHOAL_ASSERT(from.size() >= head_bytes && (from.size() - head_bytes) % sizeof(Element) == 0);
    f(M(*objects_in<Header>(from.subspan(0, sizeof(Header))).data(), objects_in<Element>(from.subspan(head_bytes))));
    return true;
  }
};

// Texts, and vectors of plain elements, are lists: in a handler, a view of them or a copy.
template <class M, class Element>
struct encoding_as_list {
  using as_list = encoding<list<Element>>;
  static constexpr std::uint32_t align = as_list::align;
  static constexpr bool is_padded = as_list::is_padded;
  static constexpr std::size_t head_bytes = 0;

  static std::size_t size(const sent_as_t<M>& m) noexcept { return m.size() * sizeof(Element); }
  static void write(std::byte* to, std::size_t bytes, const sent_as_t<M>& m) noexcept {
    as_list::write(to, bytes, list<Element>(m));
  }
  static std::span<const std::byte> head(const sent_as_t<M>&, std::byte*) noexcept { return {}; }
  static std::span<const std::byte> body(const sent_as_t<M>& m) noexcept { return as_list::body(list<Element>(m)); }
  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    return as_list::read(from, [&](const list<Element>& m) { f(M(m.begin(), m.end())); });
  }
};
template <class M>
  requires std::is_same_v<M, std::string_view> || std::is_same_v<M, std::string>
struct encoding<M> : encoding_as_list<M, char> {};
template <class T, class Allocator>
  requires plain<T> && (!std::is_same_v<T, bool>)
struct encoding<std::vector<T, Allocator>> : encoding_as_list<std::vector<T, Allocator>, T> {};

}  // namespace shoal::internal
