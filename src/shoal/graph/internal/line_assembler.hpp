/// Puts lines together from text in pieces cut anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/graph/internal/text_file.hpp"

namespace shoal::internal {

/// Counts lines, too. Memory is bounded: of a line longer than line_reader::line_bytes_max it may pass only the begin,
/// which is longer than that, too.
class line_assembler {
public:
  /// Declares that `n_lines_before` lines precede the text that follows.
  void start_after(std::int64_t n_lines_before) noexcept { n_lines_ = n_lines_before; }

  /// Calls take(line) for each line that is complete now, without its "\n". Ignores everything after a line for which it
  /// returns false.
  template <class Take>
  void feed(std::string_view text, Take&& take) {
    while (!is_stopped_ && !text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view piece = text.substr(0, end);
      const bool is_whole = end != std::string_view::npos;
      if (carry_.empty() && is_whole) {
        pass(piece, take);
      } else {
        carry_ += piece;
        if (is_whole || carry_.size() > line_reader::line_bytes_max) end_line(take);
      }
      text.remove_prefix(std::min(text.size(), piece.size() + 1));
    }
  }

  /// Completes the last line if it has no line end of its own.
  template <class Take>
  void end_line(Take&& take) {
    if (carry_.empty() || is_stopped_) return;
    pass(carry_, take);
    carry_.clear();
  }

  /// Number of lines completed, those before the text included; after take(line), the number of that line.
  std::int64_t n_lines() const noexcept { return n_lines_; }

private:
  template <class Take>
  void pass(std::string_view line, Take& take) {
    ++n_lines_;
    if (!take(line)) is_stopped_ = true;
  }

  std::string carry_;  // the begin of a line whose end has not arrived
  std::int64_t n_lines_ = 0;
  bool is_stopped_ = false;
};

}  // namespace shoal::internal
