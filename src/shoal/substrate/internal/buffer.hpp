/// The unit of transfer: a slot of a PE's pool, with a header and a payload.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The wire header. The conveyor layer writes and reads it; a substrate reads only `bytes`, and owns two flags.
struct buffer_header {
  static constexpr std::uint8_t current_version = 3;
  /// Sessions are numbered from the next number on, and on from 0 after 2^32 - 1: each stream of three supersteps wraps.
  static constexpr std::uint32_t session_before_first = UINT32_MAX - 2;
  static constexpr std::uint8_t last = 1;  // flag: the sender's session ends with this buffer
  static constexpr std::uint8_t encoded = 2;  // flag: the items are encoded (codec/codec.hpp)
  static constexpr std::uint8_t timed = 4, timed_large = 8;  // flags of substrates: link_meter.hpp

  std::uint8_t version = current_version;
  std::uint8_t hop = 0;  // the hop of the route, from 0
  std::uint8_t flags = 0;
  std::uint8_t wave = 0;  // how many waves of the superstep its sender had joined, modulo 256
  std::uint32_t session = session_before_first;  // superstep or session of that stream
  std::uint64_t mailbox = 0;  // number of the hop of a stream that it is for
  std::uint32_t n_items = 0;
  std::uint32_t bytes = 0;  // payload bytes in use, run headers and tags included
  std::uint32_t tag_bytes = 0;  // of those, the items' tags, which follow the items, the last item's tag first
  std::int32_t source = 0;  // the number of the PE that posted this buffer, as the layer above counts PEs

  std::uint32_t item_bytes() const noexcept { return bytes - tag_bytes; }
};
static_assert(sizeof(buffer_header) == 32);

/// A slot. Its first line holds the header and the transport's part, so the payload starts on a line of its own and
/// keeps any alignment up to 64.
struct alignas(cache_line_bytes) buffer {
  // The holder's part: the next buffer in a queue. Kept in the slot, so that such a queue needs no memory. Meaningful
  // only to the PE that holds the buffer.
  buffer* next_pending = nullptr;

  // For wires: the rank that sent this buffer, set by the wire that received it.
  std::int32_t sender = 0;

  // The number of the slot. From UINT32_MAX - 2 on: none, but a mark of whoever made the buffer (wires, the slot pool).
  std::uint32_t slot = 0;
  std::uint32_t held_ns = 0;  // the receiver's part: holding_times, in link_meter.hpp
  // The transport's part; see the substrate. Links posted or returned slots by global slot number.
  std::atomic<std::uint32_t> next{0};

  buffer_header header;

  // For wires on which buffers arrive in pieces (one_sided/fingerprint.hpp). On the simulator: bytes when it was sent.
  std::uint64_t fingerprint = 0;

  std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* payload() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }
};
static_assert(sizeof(buffer) == cache_line_bytes);

}  // namespace shoal::internal
