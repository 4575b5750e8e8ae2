/// A message of any length: elements of one type, after a header if it has one.
///
///     shoal::actor row{world, [&](shoal::list<row_head, entry> m) { … m.header.row … for (const entry& e : m) … }};
///     row.send(pe, {row_head{7}, entries});
///
/// A list is not a batch. A handler that takes a list is called once for each message that was sent; a handler that takes
/// a std::span of messages is called for as many messages of one size as have arrived.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "shoal/base/internal/holds_address.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

namespace internal {

// What may follow as the elements of a list: anything contiguous of that type.
template <class R, class Element>
concept elements = requires(const R& r) {
  { std::data(r) } -> std::convertible_to<const Element*>;
  { std::size(r) } -> std::convertible_to<std::size_t>;
} && std::is_same_v<std::remove_cvref_t<decltype(*std::data(std::declval<const R&>()))>, Element>;

template <class Element>
struct elements_of_list {
  std::span<const Element> elements;

  const Element* begin() const noexcept { return elements.data(); }
  const Element* end() const noexcept { return elements.data() + elements.size(); }
  std::size_t size() const noexcept { return elements.size(); }
  bool empty() const noexcept { return elements.empty(); }
  const Element& operator[](std::size_t i) const noexcept { return elements[i]; }
};

}  // namespace internal

/// `list<Element>`, or `list<Header, Element>`. It shows what others own: at the sender, memory that lasts until the send
/// returns; in a handler, the message where it arrived, which lasts until the handler returns. Header and elements are
/// items; elements are aligned as their type wants.
template <class HeaderOrElement, class Element = void>
struct list : internal::elements_of_list<Element> {
  using header_type = HeaderOrElement;
  using element_type = Element;

  HeaderOrElement header;

  list(const HeaderOrElement& its_header, std::span<const Element> its_elements) noexcept
      : internal::elements_of_list<Element>{its_elements}, header(its_header) {}
  list(const HeaderOrElement& its_header, std::initializer_list<Element> its_elements) noexcept
      : list(its_header, std::span<const Element>(its_elements.begin(), its_elements.size())) {}
};

template <class Element>
struct list<Element, void> : internal::elements_of_list<Element> {
  using header_type = void;
  using element_type = Element;

  template <class R>
    requires internal::elements<R, Element>
  list(const R& its_elements) noexcept
      : internal::elements_of_list<Element>{
            std::span<const Element>(std::data(its_elements), std::size(its_elements))} {}
  list(std::initializer_list<Element> its_elements) noexcept
      : internal::elements_of_list<Element>{std::span<const Element>(its_elements.begin(), its_elements.size())} {}
};

namespace internal {

// Its elements would not travel with it: a list is a message, not a part of one.
template <class HeaderOrElement, class Element>
inline constexpr bool is_named_address<list<HeaderOrElement, Element>> = true;

}  // namespace internal

}  // namespace shoal
