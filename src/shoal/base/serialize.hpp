/// Values of any type as bytes: strings, containers, and a program's own types by one function.
///
///     struct route { std::string name; std::vector<double> legs; };
///     void serialize(auto& archive, route& r) { archive(r.name, r.legs); }
///
/// The same function writes and reads. It may also be a member, `void serialize(auto& archive)`. Functions that were
/// written for cereal in this form work as they are.
///
/// A type travels, in this order of preference:
///
/// 1. by cereal, if `travels_by_cereal` says so;
/// 2. as its bytes, if it is an item that holds no address;
/// 3. by its `serialize`;
/// 4. as what the standard makes of such types: string, string_view, vector, span, pair, tuple, optional, variant, array,
///    and every container with `emplace_hint` or `push_back`, such as map, unordered_set and deque.
///
/// A std::string_view, or a std::span of const items, is read without a copy: it shows the bytes where they arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "shoal/base/serializable.hpp"

namespace shoal {

/// What archives have in common: which parts a value has. `Derived` has two functions, `bytes(p, n, align)` for n bytes
/// at p, and `count(n)` for a number of elements.
template <class Derived>
class archive_base {
public:
  archive_base(const archive_base&) = delete;
  archive_base& operator=(const archive_base&) = delete;

  /// Writes or reads values, one after the other.
  template <class... Values>
  Derived& operator()(Values&&... values) {
    (one(values), ...);
    return self();
  }
  template <class T>
  Derived& operator&(T&& value) {
    return (*this)(value);
  }

protected:
  archive_base() = default;

private:
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  // One function writes and reads, so it takes values that may change. Writing changes none.
  template <class Given>
  void one(Given& given) {
    using T = std::remove_const_t<Given>;
    static_assert(serializable<T>,
                  "values of this type do not travel: it is neither plain bytes without addresses nor a standard "
                  "container of what travels, and has no function serialize(archive, value)");
    T& value = const_cast<T&>(given);
    if constexpr (travels_by_cereal<T>) {
      internal::by_cereal(self(), value);
    } else if constexpr (internal::plain<T>) {
      self().bytes(&value, sizeof(T), 1);
    } else if constexpr (internal::has_member_serialize<T, output_archive>) {
      value.serialize(self());
    } else if constexpr (internal::has_free_serialize<T, output_archive>) {
      serialize(self(), value);
    } else if constexpr (internal::view<T> && Derived::reads) {
      self().view(value);
    } else if constexpr (internal::view<T>) {
      plain_elements(value);
    } else if constexpr (internal::is_tuple<T>) {
      std::apply([this](auto&... parts) { (this->one(parts), ...); }, value);
    } else if constexpr (internal::is_array<T>) {
      for (auto& each : value) one(each);
    } else if constexpr (internal::optional_like<T>) {
      optional(value);
    } else if constexpr (internal::variant_of_parts<T>) {
      variant(value);
    } else if constexpr (internal::plain_array<T>) {
      plain_elements(value);
    } else if constexpr (internal::container<T>) {
      elements(value);
    }
  }

  template <class T>
  void optional(T& value) {
    auto has_value = static_cast<std::uint8_t>(value.has_value());  // any byte may be read as one of these
    one(has_value);
    if constexpr (Derived::reads) {
      if (has_value == 0) return value.reset();
      value.emplace();
    }
    if (has_value != 0) one(*value);
  }

  template <class T>
  void variant(T& value) {
    constexpr std::size_t n_alternatives = internal::parts_of_variant<T>::n;
    static_assert(n_alternatives < 256);
    auto index = static_cast<std::uint8_t>(value.index());
    one(index);
    if constexpr (Derived::reads) {
      if (index >= n_alternatives) return self().refuse();
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto alternative = [&]<std::size_t Nth>(std::integral_constant<std::size_t, Nth>) {
        if (index != Nth) return;
        if constexpr (Derived::reads) value.template emplace<Nth>();
        this->one(*get_if<Nth>(&value));
      };
      (alternative(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<n_alternatives>{});
  }

  template <class T>
  void plain_elements(T& value) {
    using element = typename T::value_type;
    const std::size_t n = self().count(value.size(), sizeof(element));
    if constexpr (Derived::reads) value.resize(n);
    self().bytes(value.data(), n * sizeof(element), alignof(element));
  }

  template <class T>
  void elements(T& value) {
    using element = typename internal::element_of<typename T::value_type>::type;
    const std::size_t n = self().count(value.size(), 0);
    if constexpr (!Derived::reads) {
      for (auto&& each : value) {
        if constexpr (internal::plain<element>) {
          element copy(each);  // a pair with a const key does not travel as bytes, nor does a reference to one bit
          one(copy);
        } else {
          one(each);
        }
      }
    } else {
      value.clear();
      for (std::size_t i = 0; i < n && self().is_good(); ++i) {
        element next{};
        one(next);
        if constexpr (requires { value.emplace_hint(value.end(), std::move(next)); }) {
          value.emplace_hint(value.end(), std::move(next));
        } else {
          value.push_back(std::move(next));
        }
      }
    }
  }
};

/// Counts the bytes that an output_archive would write.
class size_archive final : public archive_base<size_archive> {
public:
  static constexpr bool reads = false;

  explicit size_archive(std::size_t offset = 0) noexcept : at_(offset) {}
  std::size_t size() const noexcept { return at_; }

  void bytes(const void*, std::size_t n, std::size_t align) noexcept { at_ = aligned(at_, align) + n; }
  std::size_t count(std::size_t n, std::size_t) noexcept {
    bytes(&n, sizeof n, 1);
    return n;
  }

  static constexpr std::size_t aligned(std::size_t at, std::size_t align) noexcept {
    return (at + align - 1) & ~(align - 1);
  }

private:
  std::size_t at_;
};

/// Writes to memory that has as many bytes as a size_archive counted. Never writes outside it: if values take more bytes
/// than when they were counted, what is left is not written, and `is_full` says no.
class output_archive final : public archive_base<output_archive> {
public:
  static constexpr bool reads = false;

  /// Offsets of what is aligned count from the beginning of `to`, of which `offset` bytes are written already.
  explicit output_archive(std::span<std::byte> to, std::size_t offset = 0) noexcept : to_(to), at_(offset) {}

  /// Exactly this memory was written.
  bool is_full() const noexcept { return at_ == to_.size(); }

  void bytes(const void* from, std::size_t n, std::size_t align) noexcept {
    const std::size_t begin = size_archive::aligned(at_, align);
    if (begin > to_.size() || n > to_.size() - begin) [[unlikely]] {
      to_ = {};  // nothing more has room
      at_ = 1;
      return;
    }
    if (begin != at_) std::memset(to_.data() + at_, 0, begin - at_);
    if (n != 0) std::memcpy(to_.data() + begin, from, n);
    at_ = begin + n;
  }
  std::size_t count(std::size_t n, std::size_t) noexcept {
    bytes(&n, sizeof n, 1);
    return n;
  }

private:
  std::span<std::byte> to_;
  std::size_t at_;
};

/// Reads what an output_archive wrote. Never reads outside the bytes it was given: if they end too early, what is left
/// stays empty or zero, and `is_good` says no.
class input_archive final : public archive_base<input_archive> {
public:
  static constexpr bool reads = true;

  explicit input_archive(std::span<const std::byte> from, std::size_t offset = 0) noexcept : from_(from), at_(offset) {}

  bool is_good() const noexcept { return is_good_; }
  /// Says that what was read is no value of its type: `is_good` says no from now on.
  void refuse() noexcept { is_good_ = false; }
  /// Everything was read, and nothing more.
  bool is_used_up() const noexcept { return is_good_ && at_ == from_.size(); }
  /// How many bytes were read.
  std::size_t at() const noexcept { return at_; }

  void bytes(void* to, std::size_t n, std::size_t align) noexcept {
    if (const std::byte* const from = take(n, align)) {
      if (n != 0) std::memcpy(to, from, n);
    } else if (n != 0) {
      std::memset(to, 0, n);
    }
  }
  /// `bytes_each`: of each element, if that is known.
  std::size_t count(std::size_t, std::size_t bytes_each) noexcept {
    std::size_t n = 0;
    bytes(&n, sizeof n, 1);
    if (bytes_each == 0 || n <= (from_.size() - at_) / bytes_each) return n;
    refuse();
    return 0;
  }
  template <class View>
  void view(View& value) noexcept {
    using element = typename internal::view_of<View>::element;
    static_assert(alignof(element) <= 8,
                  "elements that are aligned to more than 8 bytes cannot be read in place: take a std::vector of them");
    const std::size_t n = count(0, sizeof(element));
    const std::byte* const from = take(n * sizeof(element), alignof(element));
    value = from == nullptr ? View{} : View(reinterpret_cast<const element*>(from), n);
  }

private:
  // Null: the bytes end before that.
  const std::byte* take(std::size_t n, std::size_t align) noexcept {
    const std::size_t begin = size_archive::aligned(at_, align);
    if (!is_good_ || begin > from_.size() || n > from_.size() - begin) {
      refuse();
      return nullptr;
    }
    at_ = begin + n;
    return from_.data() + begin;
  }

  std::span<const std::byte> from_;
  std::size_t at_;
  bool is_good_ = true;
};

}  // namespace shoal
