/// What one transfer carries: a slot of a PE's pool with a header and a payload.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"

namespace shoal {

/// The wire header. The conveyor layer writes and reads it; a substrate carries it with the payload and
/// looks only at `bytes`. It names no sender where the link implies one: `source` is filled by the
/// substrate at the receiving end of a link that knows its peer, or by the poster on shared memory.
struct buffer_header {
  static constexpr std::uint8_t current_version = 1;
  static constexpr std::uint16_t last = 1;  // flag: the sender's session ends with this buffer
  static constexpr std::uint16_t encoded = 2;  // flag: the items are encoded (codec/codec.hpp)

  std::uint8_t version = current_version;
  std::uint8_t hop = 0;  // which hop of the route this transfer is; 0 for the first
  std::uint16_t flags = 0;
  std::uint32_t mailbox = 0;  // serial number of the hop of a stream that it is for
  std::uint32_t session = 0;  // which superstep or session of that stream
  std::uint32_t n_items = 0;
  std::uint32_t bytes = 0;  // payload bytes in use, run headers and tags included
  std::uint32_t tag_bytes = 0;  // of those, the items' tags; they lie behind the items, the last item's first
  std::int32_t source = 0;  // PE that posted this buffer

  std::uint32_t item_bytes() const noexcept { return bytes - tag_bytes; }
};
static_assert(sizeof(buffer_header) == 28);

/// A slot. Its first line belongs to header and transport, so the payload starts on a line of its own
/// and keeps any alignment up to 64.
struct alignas(cache_line_bytes) buffer {
  // Transport's part; see the substrate. `next` chains posted or returned slots by global slot number.
  std::atomic<std::uint32_t> next{0};
  std::uint32_t slot = 0;

  buffer_header header;

  // Receiver's part: where in its queue of undelivered buffers this one stands. Kept in the slot so that
  // a queue of buffers needs no memory of its own. Meaningful only to the PE that holds the buffer.
  buffer* next_pending = nullptr;

  // A wire's, where buffers arrive in pieces (one_sided/fingerprint.hpp).
  std::uint64_t fingerprint = 0;

  std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* payload() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }
};
static_assert(sizeof(buffer) == cache_line_bytes);

}  // namespace shoal
