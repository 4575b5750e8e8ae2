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

/// How the items of a stream lie in its buffers.
enum class item_layout : std::uint8_t {
  items,  // of one size, side by side
  runs,  // of several kinds, and records between them (run.hpp)
  records,  // of any size (record.hpp)
};
/// `only`: the kind of all items. Its size is 0 if they differ, and then its alignment is that of records, or 0.
inline item_layout layout_of(const item_kind& only) noexcept {
  return only.bytes != 0 ? item_layout::items : only.align != 0 ? item_layout::records : item_layout::runs;
}

/// Finds the kind with a number on the wire, or null. Relays use it to read runs.
using kind_lookup = const item_kind* (*)(std::uint32_t number) noexcept;

}  // namespace shoal::internal
