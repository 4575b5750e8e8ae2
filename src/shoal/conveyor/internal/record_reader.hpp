/// Reads records from a buffer.
#pragma once

#include <cstddef>

#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/run.hpp"

namespace shoal::internal {

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
      if (header.n_items > n_left - header_bytes) return false;
      at_ = begin + header.n_items;
      if (header.type == padding_run) {
        if (at_ == end_) return false;  // padding must be followed by a record
        continue;
      }
      if (!is_record(header.type)) return false;
      next = {static_cast<record_kind>(header.type), {begin, header.n_items}};
      return true;
    }
  }

private:
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
};

}  // namespace shoal::internal
