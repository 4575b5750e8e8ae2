/// What a send reads and writes: the sending end of one link, and the items held back for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "shoal/conveyor/internal/item_kind.hpp"

namespace shoal::internal {

/// The sending end of one link of one hop.
///
/// Invariant: [payload, cursor) of the open buffer is filled, and limit - cursor is a multiple of the current kind's
/// size. Without an open buffer all members but `kind` are null, so a send tests only `cursor == limit`. Half a cache
/// line, so that a line holds two links.
struct alignas(32) link_end {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  const item_kind* kind = nullptr;  // of the item written last, and of those that fit before `limit`
  union {
    // With several kinds: the first item of a run whose header does not hold its count yet.
    std::byte* run_begin = nullptr;
    // With one kind: the end of the room, if `limit` was cut short of it; otherwise null or below `limit`.
    std::byte* room_end;
    // With records, and so without a kind: those that open_links::begin_record wrote into the open buffer.
    std::uint64_t n_records;
  };
};
static_assert(sizeof(link_end) == 32);

/// Copies an item into a buffer member by member. memcpy would let the compiler write the members of a temporary into memory
/// and copy it in pieces that overlap them, each of which then waits for those stores: 4 ns an item (docs/performance.md).
template <class T>
void store_item(std::byte* at, const T& value) noexcept {
  if constexpr (std::is_trivially_copy_constructible_v<T>) {
    ::new (static_cast<void*>(at)) T(value);
  } else {
    std::memcpy(at, &value, sizeof(T));
  }
}

/// An item whose bytes are not stored yet, and their place. `at` is `nowhere` if there is none.
template <std::size_t Bytes>
struct held_item {
  alignas(16) std::byte bytes[Bytes];
  alignas(16) std::byte nowhere[Bytes];
  std::byte* at = nowhere;

  held_item() noexcept = default;
  held_item(const held_item&) = delete;
  held_item& operator=(const held_item&) = delete;

  void replace(std::byte* next_at, const void* next_bytes) noexcept {
    std::memcpy(at, bytes, Bytes);
    at = next_at;
    std::memcpy(bytes, next_bytes, Bytes);
  }
  void store() noexcept {
    std::memcpy(at, bytes, Bytes);
    at = nowhere;
  }
};

}  // namespace shoal::internal
