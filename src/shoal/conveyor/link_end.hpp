/// What a send reads and writes: the sending end of one link, and the items that it holds back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/conveyor/item_kind.hpp"

namespace shoal {

/// The sending end of one link of one hop.
///
/// Invariant: [payload, cursor) of the open buffer is filled, and limit - cursor is a multiple of the size of the current
/// kind. Without an open buffer all but the kind are null, so that `cursor == limit` is the one question on the way of an
/// item. Half a cache line, so that a line serves two links.
struct alignas(32) link_end {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  const item_kind* kind = nullptr;  // of the item written last, and of those that fit before limit
  union {
    // With items of several kinds: the first of a run whose header does not say yet how many it has.
    std::byte* run_begin = nullptr;
    // With items of one kind: where the room ends that `limit` was cut short of; null or below the limit if it was not.
    std::byte* room_end;
  };
};
static_assert(sizeof(link_end) == 32);

/// An item whose bytes are yet to be stored, and where. Without one, `at` is `nowhere`.
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

}  // namespace shoal
