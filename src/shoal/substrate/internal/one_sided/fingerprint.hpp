/// How a receiver knows by itself that all bytes of a buffer have arrived, whatever order they came in: the buffer
/// brings its number and 64 bits that depend on every byte. Old bytes among them pass for new ones once in 2^64 times.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::one_sided {

namespace fingerprints {

__extension__ using wide = unsigned __int128;

// Both halves of a product: every bit of it depends on many of both factors.
inline std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

using line = std::array<std::uint64_t, cache_line_bytes / sizeof(std::uint64_t)>;

// Four sums that do not wait for one another, so that a line takes about as long as one multiplication.
struct sums {
  std::array<std::uint64_t, 4> at{0x9e3779b97f4a7c15, 0xd1342543de82ef95, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb};

  void add(const line& words) noexcept {
    constexpr std::uint64_t unlikely = 0xe7037ed1a0b428db;  // a second factor of zero would forget what came before
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = folded(at[i] ^ words[2 * i], unlikely ^ words[2 * i + 1]);
  }
  void add(const std::byte* bytes, std::size_t n) noexcept {
    line words{};
    std::memcpy(words.data(), bytes, n);
    add(words);
  }
  std::uint64_t all() const noexcept { return folded(at[0] ^ folded(at[1], at[2] | 1), at[3] | 1); }
};

inline void add_all(sums& to, const std::byte* bytes, std::size_t n) noexcept {
  const std::size_t n_whole = n / cache_line_bytes * cache_line_bytes;
  for (std::size_t at = 0; at < n_whole; at += cache_line_bytes) to.add(bytes + at, cache_line_bytes);
  if (n_whole != n) to.add(bytes + n_whole, n - n_whole);
}

}  // namespace fingerprints

/// Of the nth message of a sender.
inline std::uint64_t fingerprint(std::span<const std::byte> message, std::uint64_t nth) noexcept {
  fingerprints::sums found;
  found.at[0] ^= nth;
  fingerprints::add_all(found, message.data(), message.size());
  return found.all();
}

/// Of the nth buffer of a sender: its header, given apart because it may change under the reader, and its payload.
inline std::uint64_t fingerprint(const buffer_header& header, const std::byte* payload, std::uint64_t nth) noexcept {
  fingerprints::sums found;
  found.at[0] ^= nth;
  found.add(reinterpret_cast<const std::byte*>(&header), sizeof header);
  fingerprints::add_all(found, payload, header.bytes);
  return found.all();
}

/// Where the part of a buffer begins that is put: its number, header, fingerprint and payload. What lies before is the
/// receiver's from the start. A byte of it that came after the fingerprint would overwrite what the receiver has written.
inline constexpr std::size_t put_begin = offsetof(buffer, next);
static_assert(offsetof(buffer, next_pending) < put_begin && offsetof(buffer, sender) < put_begin &&
              offsetof(buffer, held_ns) < put_begin && offsetof(buffer, header) > put_begin &&
              offsetof(buffer, fingerprint) > put_begin);

/// The sender's part. The buffer's first line has room for it while a wire has the buffer.
inline void sign(buffer& full, std::uint64_t nth) noexcept {
  full.next.store(static_cast<std::uint32_t>(nth), std::memory_order_relaxed);
  full.fingerprint = fingerprint(full.header, full.payload(), nth);
}

/// Whether the nth buffer has arrived whole in a place for buffers of `payload_bytes`. Numbers of buffers that were in
/// this place differ in their lower 32 bits.
inline bool is_whole(const buffer& place, std::uint64_t nth, std::size_t payload_bytes) noexcept {
  if (place.next.load(std::memory_order_acquire) != static_cast<std::uint32_t>(nth)) return false;
  // Read once: it may be arriving just now.
  buffer_header header;
  std::memcpy(static_cast<void*>(&header), &place.header, sizeof header);
  std::atomic_signal_fence(std::memory_order_acq_rel);
  return header.bytes <= payload_bytes && place.fingerprint == fingerprint(header, place.payload(), nth);
}

}  // namespace shoal::internal::one_sided
