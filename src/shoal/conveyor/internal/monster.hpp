/// Items that do not fit into a buffer (*monsters* in bale): memory for one, and how fragments become an item again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/record.hpp"

namespace shoal::internal {

/// Uninitialised memory for one item, aligned as a buffer's payload is.
class monster_block {
public:
  explicit monster_block(std::size_t n_bytes = 0) : bytes_(n_bytes) {
    if (n_bytes != 0) lines_.reset(new line[(n_bytes - 1) / sizeof(line) + 1]);
  }

  std::byte* data() const noexcept { return lines_ == nullptr ? nullptr : lines_[0].bytes; }
  std::size_t size() const noexcept { return bytes_; }
  std::span<const std::byte> bytes() const noexcept;

private:
  struct alignas(cache_line_bytes) line {
    std::byte bytes[cache_line_bytes];
  };
  array_owner<line> lines_;
  std::size_t bytes_ = 0;
};

/// The monsters that arrive in a stream on this PE. Each takes its whole size from its first fragment on.
class monster_assembly {
public:
  monster_assembly();
  ~monster_assembly();

  enum class outcome : std::uint8_t {
    incomplete,
    complete,
    contradiction,  // this fragment continues nothing, or more than the whole
    no_memory,
  };

  /// Takes a fragment that PE `from` sent. If it completes its item, moves that to `whole`. Local.
  outcome take(const record& fragment, pe_id from, monster_block& whole);

  /// Memory of incomplete items.
  std::size_t bytes() const noexcept { return bytes_; }
  /// The size of the item of which `take` found no memory.
  std::size_t bytes_wanted() const noexcept { return bytes_wanted_; }

private:
  struct arriving {
    pe_id from;
    bool is_by_handler;
    monster_block whole;
    std::size_t n_arrived = 0;
  };

  const owner<std::vector<arriving>> arriving_;  // few, so that looking through them is fastest
  std::size_t bytes_ = 0;
  std::size_t bytes_wanted_ = 0;
};

/// The size of the largest item that travels in one record of a stream, over any route. `align`: of its records.
std::size_t whole_record_bytes_max(std::size_t payload_bytes, std::uint32_t align) noexcept;

}  // namespace shoal::internal
