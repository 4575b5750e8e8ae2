/// What the bytes of an item must be, so that the PE that pulls it can tell whether it is the right one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal::cli {

/// An item is the `number`-th of those that `sender` pushes to `target` in a run.
struct identity {
  pe_id sender;
  pe_id target;
  std::uint64_t number;
};

/// The contents of items as a function of their identity. An item of 8 bytes or more names its identity in its first
/// word; all other bytes are random, but the same for the same identity and seed. With `entropy_bits`, that many bits
/// vary, spread evenly over the item, and the others are the same in all items; such items do not name their identity.
/// With `has_random_sizes`, the identity determines how many of `item_bytes` bytes the item has, 0 included.
class item_contents {
public:
  item_contents(std::uint64_t seed, std::size_t item_bytes, std::optional<std::uint64_t> entropy_bits,
                bool has_random_sizes = false);

  std::size_t bytes_of(const identity& which) const noexcept;
  /// Whether an item of this many bytes names its identity.
  bool names_identity(std::size_t bytes) const noexcept { return constant_.empty() && bytes >= sizeof(std::uint64_t); }

  /// Returns the number of bytes written.
  std::size_t write(const identity& which, std::byte* item) const noexcept;
  bool matches(const identity& which, std::span<const std::byte> item) const noexcept;

  /// Describes what came instead of `due`.
  std::string describe_fault(const identity& due, std::span<const std::byte> item) const;

private:
  // Word `i` of an item of `bytes` bytes; `state` as the previous word left it.
  std::uint64_t word(const identity& which, std::size_t bytes, std::uint64_t& state, std::size_t i) const noexcept;
  std::uint64_t state_of(const identity& which) const noexcept;

  std::uint64_t seed_;
  std::size_t item_bytes_;
  bool has_random_sizes_;
  std::vector<std::uint64_t> constant_;  // by word, with limited entropy: the bits that do not vary,
  std::vector<std::uint64_t> varying_;  // and a mask of those that do
};

/// The sum of an item's words, the last one padded with zeros.
std::uint64_t sum_of_words(const std::byte* item, std::size_t bytes) noexcept;

/// Bytes aligned as any item may need.
class aligned_bytes {
public:
  explicit aligned_bytes(std::size_t n_bytes) : lines_((n_bytes + cache_line_bytes - 1) / cache_line_bytes) {}
  std::byte* data() noexcept { return lines_.front().bytes; }

private:
  struct alignas(cache_line_bytes) line {
    std::byte bytes[cache_line_bytes];
  };
  std::vector<line> lines_;
};

}  // namespace shoal::cli
