/// Names an array in symmetric memory; world::allocate makes one.
#pragma once

#include <cstddef>

namespace shoal {

/// An array of `T` on every PE at the same offset of the symmetric heap: a reference that means the same
/// object everywhere, so it may be sent.
template <class T>
struct symmetric {
  std::size_t offset = 0;
  std::size_t size = 0;  // elements on each PE
};

}  // namespace shoal
