/// Describes the items of a stream.
#pragma once

#include <cstdint>

namespace shoal::internal {

/// Size and alignment of items. A kind is identified by its address on this PE and by its number on the wire.
struct item_kind {
  std::uint32_t number = 0;  // from 1 on; 0 in a stream of one kind
  std::uint32_t bytes = 0;
  std::uint32_t align = 0;  // at most 64

  friend bool operator==(const item_kind&, const item_kind&) = default;
};

/// Finds the kind with a number on the wire, or null. Relays use it to read runs.
using kind_lookup = const item_kind* (*)(std::uint32_t number) noexcept;

}  // namespace shoal::internal
