/// Types that every layer shares: PE numbers, cache lines, items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>  // pair; declares tuple

namespace shoal {

/// A processing element (PE) of the job: 0 <= pe < n_pes. Signed and wide, so that the field's usual
/// arithmetic on global indices (`g % n_pes`) needs no casts.
using pe_id = std::int64_t;

/// Our own constant: the standard's `hardware_destructive_interference_size` changes with tuning flags, and PEs
/// compiled differently must agree on layouts.
inline constexpr std::size_t cache_line_bytes = 64;

namespace internal {

template <class T>
inline constexpr bool is_item =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_reference_v<T> && !std::is_const_v<T>;
// The language does not call them trivially copyable, only because they write their assignment out.
template <class First, class Second>
inline constexpr bool is_item<std::pair<First, Second>> = is_item<First> && is_item<Second>;
template <class... Parts>
inline constexpr bool is_item<std::tuple<Parts...>> = (is_item<Parts> && ...);

}  // namespace internal

/// What may travel between PEs: its bytes are its value, as of trivially copyable types, and of pairs and tuples of such.
/// The language accepts a pointer, which means nothing on another PE, so it is excluded explicitly.
template <class T>
concept item = internal::is_item<T>;

}  // namespace shoal
