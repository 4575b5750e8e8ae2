/// Names an array in symmetric memory, which world::allocate makes, and says what atomics work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace shoal {

/// An array of `T` on every PE at the same offset of the symmetric heap: a reference that means the same
/// object everywhere, so it may be sent.
template <class T>
struct symmetric {
  std::size_t offset = 0;
  std::size_t size = 0;  // elements on each PE
};

/// What atomics work on: integers of 4 and 8 bytes.
template <class T>
concept atomic_item =
    std::is_integral_v<T> && (sizeof(T) == sizeof(std::uint32_t) || sizeof(T) == sizeof(std::uint64_t));

}  // namespace shoal
