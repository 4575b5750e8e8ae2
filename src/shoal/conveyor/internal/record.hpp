/// Records: how items of any size share a buffer.
///
/// A record is a run header (run.hpp) whose count is the number of bytes that follow. An item that does not fit into a
/// buffer (a *monster*) travels in fragments, several records on the same links; the first begins with the size of the
/// whole item. Between the fragments of one sender other items may come: a main program that waits for room runs
/// handlers, which send, too. So fragments say whether a handler sent them. Those of one handler follow one another.
///
/// A stream of records holds nothing else. In a stream of runs, records stand between the runs.
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
  first_fragment_by_handler,
  fragment_by_handler,
};

/// Whether a run of this type is a record. Kinds of items have larger numbers.
inline bool is_record(std::uint32_t type) noexcept {
  return type - 1 < static_cast<std::uint32_t>(record_kind::fragment_by_handler);
}

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
