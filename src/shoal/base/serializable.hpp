/// Which types travel as bytes (serialize.hpp), and in which form.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "shoal/base/internal/holds_address.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

class size_archive;
class output_archive;
class input_archive;

/// Specialise it for types that cereal writes and reads, in a program that includes <shoal/cereal.hpp>.
template <class T>
inline constexpr bool travels_by_cereal = false;

namespace internal {

// In shoal/cereal.hpp.
template <class Archive, class T>
void by_cereal(Archive& archive, T& value);

template <class T>
concept plain = item<T> && !holds_address<T> && !travels_by_cereal<T>;

template <class T, class Archive>
concept has_member_serialize = requires(T& value, Archive& archive) { value.serialize(archive); };
// Found by argument-dependent lookup.
template <class T, class Archive>
concept has_free_serialize = requires(T& value, Archive& archive) { serialize(archive, value); };
template <class T>
concept has_serialize = has_member_serialize<T, output_archive> || has_free_serialize<T, output_archive>;

// What std::variant<Parts...> is made of.
template <class T>
struct parts_of_variant {};
template <template <class...> class Variant, class... Parts>
  requires variant_like<Variant<Parts...>>
struct parts_of_variant<Variant<Parts...>> {
  static constexpr std::size_t n = sizeof...(Parts);
  static consteval bool travel();
};
template <class T>
concept variant_of_parts = requires { parts_of_variant<T>::n; };
template <class T>
inline constexpr bool is_tuple = false;
template <class... Parts>
inline constexpr bool is_tuple<std::tuple<Parts...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;
// Not a tuple: Clang folds over at most 256 parts.
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class T>
struct view_of {};  // not a view
template <>
struct view_of<std::string_view> {
  using element = char;
};
template <class T>
struct view_of<std::span<const T>> {
  using element = T;
};
template <class T>
concept view = requires { typename view_of<T>::element; };

// Elements of an associative container are const in part; these are what is read before they go in.
template <class T>
struct element_of {
  using type = T;
};
template <class Key, class Value>
struct element_of<std::pair<const Key, Value>> {
  using type = std::pair<Key, Value>;
};

template <class T>
concept container = requires(T& c, const T& in) {
  typename T::value_type;
  c.clear();
  in.begin();
  in.end();
  in.size();
} && (requires(T& c, typename element_of<typename T::value_type>::type e) { c.emplace_hint(c.end(), std::move(e)); } ||
      requires(T& c, typename element_of<typename T::value_type>::type e) { c.push_back(std::move(e)); });
// Its elements lie side by side, and their bytes are their values.
template <class T>
concept plain_array = container<T> && requires(T& c) {
  c.data();
  c.resize(std::size_t{});
} && plain<typename T::value_type>;

template <class T>
consteval bool tell_whether_it_travels();

}  // namespace internal

/// Whether values of this type travel. For a type with its own `serialize`, what that names decides.
template <class T>
concept serializable = internal::tell_whether_it_travels<T>();

namespace internal {

template <template <class...> class Variant, class... Parts>
  requires variant_like<Variant<Parts...>>
consteval bool parts_of_variant<Variant<Parts...>>::travel() {
  return (serializable<Parts> && ...);
}

template <class Tuple>
consteval bool tell_whether_parts_travel() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (serializable<std::remove_const_t<std::tuple_element_t<I, Tuple>>> && ...);
  }(std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

template <class T>
consteval bool tell_whether_it_travels() {
  if constexpr (travels_by_cereal<T> || plain<T> || has_serialize<T>) {
    return true;
  } else if constexpr (view<T>) {
    return plain<typename view_of<T>::element>;
  } else if constexpr (variant_of_parts<T>) {
    return parts_of_variant<T>::travel();
  } else if constexpr (is_tuple<T>) {
    return tell_whether_parts_travel<T>();
  } else if constexpr (optional_like<T> || is_array<T>) {
    return serializable<typename T::value_type>;
  } else if constexpr (container<T>) {
    return serializable<typename element_of<typename T::value_type>::type>;
  } else {
    return false;
  }
}

}  // namespace internal

}  // namespace shoal
