/// Divides a range of offsets into blocks, for the symmetric heap: PEs that make the same calls get the same blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace shoal::internal::compat {

/// Takes the smallest gap that does, the lowest of those. Keeps its notes outside the range, so that memory is touched by
/// the program alone.
class block_allocator {
public:
  /// Offsets from `begin` to before `end`, of memory at `address`; the same on all PEs. Where PEs have it at different
  /// addresses, the part of them that is equal.
  block_allocator(std::size_t begin, std::size_t end, std::uintptr_t address);

  /// The offset of `bytes` bytes at an address that is a multiple of `alignment`, a power of two; none: there is no gap
  /// for them.
  std::optional<std::size_t> allocate(std::size_t bytes, std::size_t alignment);

  /// Gives back a block. False if none begins there.
  bool release(std::size_t offset);

  /// The size asked for of the block that begins at `offset`; 0: none does.
  std::size_t bytes_of(std::size_t offset) const;

  std::size_t largest_gap() const;

private:
  void add_gap(std::size_t begin, std::size_t bytes);
  void remove_gap(std::size_t begin, std::size_t bytes);

  struct block {
    std::size_t asked = 0;
    std::size_t end = 0;
  };
  std::uintptr_t address_;
  std::map<std::size_t, std::size_t> gaps_;  // bytes, by offset
  std::set<std::pair<std::size_t, std::size_t>> gaps_by_bytes_;  // bytes, then offset
  std::map<std::size_t, block> blocks_;  // by offset
};

}  // namespace shoal::internal::compat
