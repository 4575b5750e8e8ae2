/// Records: how items of any size share a buffer.
///
/// A record is a run header (run.hpp) whose count is the number of bytes that follow. An item that does not fit into a
/// buffer travels as several consecutive records on the same links; the first begins with the size of the whole item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "shoal/conveyor/internal/run.hpp"

namespace shoal::internal {

enum class record_kind : std::uint32_t {
  padding = padding_run,
  item,  // a whole item
  first_fragment,  // 8 bytes with the item's size, then its first bytes
  fragment,  // the next bytes; the last fragment completes the item
};

struct record {
  record_kind kind = record_kind::padding;
  std::span<const std::byte> bytes;
};

/// Reads one record after the other. Never reads outside the given bytes, whatever they contain.
class record_reader {
public:
  record_reader() = default;
  record_reader(const std::byte* begin, const std::byte* end) noexcept : at_(begin), end_(end) {}

  bool is_at_end() const noexcept { return at_ == end_; }
  const std::byte* at() const noexcept { return at_; }

  /// Reads the next record into `next`, skipping padding; false if no valid record follows. Not to be called at the
  /// end.
  bool read(record& next) noexcept {
    for (;;) {
      // Offsets, not pointers: a damaged size must not form an invalid pointer.
      const auto n_left = static_cast<std::size_t>(end_ - at_);
      const std::byte* const begin = after_run_header(at_);
      const auto header_bytes = static_cast<std::size_t>(begin - at_);
      if (n_left < header_bytes) return false;
      const run_header header = read_run_header(begin);
      if (header.n_items > n_left - header_bytes || header.type > static_cast<std::uint32_t>(record_kind::fragment)) {
        return false;
      }
      at_ = begin + header.n_items;
      if (header.type == padding_run) {
        if (at_ == end_) return false;  // padding must be followed by a record
        continue;
      }
      next = {static_cast<record_kind>(header.type), {begin, header.n_items}};
      return true;
    }
  }

private:
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
};

}  // namespace shoal::internal
