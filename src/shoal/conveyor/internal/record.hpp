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

}  // namespace shoal::internal
