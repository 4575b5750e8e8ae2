/// Reads each PE's share of the lines of a plain text file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/graph/internal/input_error.hpp"

namespace shoal::internal {

/// Reads parts of a plain file at any offset. Throws errors as input_error, with line 0.
///
/// The file is open only while a block is read: PEs in one process share its descriptor table, and there may be
/// thousands of them.
class part_reader {
public:
  explicit part_reader(std::string path) : path_(std::move(path)) {}

  /// Reads up to `into.size()` bytes from `offset` on; fewer only at the end of the file.
  std::size_t read(std::int64_t offset, std::span<char> into) const;

  /// The first offset >= `offset` at which a line begins; `end`, the size of the file, if there is none. May be inside
  /// a line that exceeds the maximum length.
  std::int64_t line_begin(std::int64_t offset, std::int64_t end) const;

  /// Divides [begin, end), which starts with a line, into `n_parts` equal parts. Calls use(text) with the lines that
  /// begin in part `part`, in pieces cut anywhere. Every line belongs to exactly one part.
  template <class Use>
  void for_each_piece(std::int64_t begin, std::int64_t end, std::int64_t part, std::int64_t n_parts, Use&& use) const {
    const auto boundary = [&](std::int64_t p) {
      const std::int64_t size = end - begin;
      // Not size * p / n_parts, which may overflow.
      const std::int64_t at = begin + size / n_parts * p + size % n_parts * p / n_parts;
      return at == begin ? begin : line_begin(at, end);
    };
    std::int64_t offset = boundary(part);
    const std::int64_t stop = boundary(part + 1);
    std::vector<char> block(static_cast<std::size_t>(std::min(block_bytes, std::max<std::int64_t>(0, stop - offset))));
    while (offset < stop) {
      const auto n_wanted = static_cast<std::size_t>(std::min(block_bytes, stop - offset));
      const std::size_t n = read(offset, std::span(block).first(n_wanted));
      if (n == 0) return;  // the file was truncated meanwhile; the count of entries will reveal it
      use(std::string_view(block.data(), n));
      offset += static_cast<std::int64_t>(n);
    }
  }

private:
  static constexpr std::int64_t block_bytes = 256 * 1024;

  std::string path_;
};

}  // namespace shoal::internal
