/// What the items of a stream are.
#pragma once

#include <cstdint>

namespace shoal {

/// Size and alignment of items. A kind is known by its address on this PE and by its number on the wire.
struct item_kind {
  std::uint32_t number = 0;  // from 1 on; 0 in a stream of one kind
  std::uint32_t bytes = 0;
  std::uint32_t align = 0;  // at most 64
};

/// The kind that a number on the wire names, or null. What a relay asks about runs.
using kind_lookup = const item_kind* (*)(std::uint32_t number) noexcept;

}  // namespace shoal
