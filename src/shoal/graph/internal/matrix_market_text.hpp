/// The MatrixMarket format as text: its head, and its lines one by one. Serial; knows no files.
///
/// The format: R. F. Boisvert, R. Pozo and K. A. Remington, "The Matrix Market exchange formats: initial
/// design", NISTIR 5935, 1996.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/line_assembler.hpp"
#include "shoal/graph/internal/number_text.hpp"
#include "shoal/graph/internal/text_file.hpp"
#include "shoal/graph/matrix_builder.hpp"

namespace shoal::internal {

/// The kind of an entry's value in the file.
enum class value_kind : std::uint8_t { pattern, integer, real };

/// What precedes the entries.
struct matrix_market_head {
  value_kind kind = value_kind::pattern;
  bool is_symmetric = false;  // the file holds only the lower triangle
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::int64_t n_entries = 0;  // in the file
  std::int64_t size_line = 0;  // number of the size line
  std::int64_t body_begin = 0;  // offset of the first byte after it
};

/// Reads the banner, the comments and the size line. Throws input_error.
matrix_market_head read_head(line_reader& lines);

/// Parses a line that is not blank as an entry; row and column in `e` count from 0. False if the line is wrong; then
/// explain_entry says why.
bool parse_entry(std::string_view line, const matrix_market_head& head, weighted_entry& e) noexcept;

/// Says what is wrong with a line that parse_entry rejected, and what would be right.
[[gnu::cold]] std::string explain_entry(std::string_view line, const matrix_market_head& head);

/// Parses lines of entries from text in pieces cut anywhere. Ignores everything after the first wrong line.
template <matrix_entry E>
class entry_parser {
public:
  explicit entry_parser(const matrix_market_head& head) : head_(head) {}

  /// Declares that `n_lines_before` lines precede the text that follows.
  void start_after(std::int64_t n_lines_before) noexcept { lines_.start_after(n_lines_before); }

  /// Calls add(entry) for each entry of the lines that are complete now, and for its mirror image if the file is
  /// symmetric.
  template <class Add>
  void feed(std::string_view text, Add&& add) {
    lines_.feed(text, [&](std::string_view line) { return parse_line(line, add); });
  }

  /// Completes the last line if it has no line end of its own.
  template <class Add>
  void end_line(Add&& add) {
    lines_.end_line([&](std::string_view line) { return parse_line(line, add); });
  }

  /// Number of lines completed, those before the text included; of entries in them, without mirror images; the error,
  /// and its line.
  std::int64_t n_lines() const noexcept { return lines_.n_lines(); }
  std::int64_t n_entries() const noexcept { return n_entries_; }
  const std::optional<input_error>& error() const noexcept { return error_; }

private:
  // False if the line is wrong.
  template <class Add>
  bool parse_line(std::string_view line, Add& add) {
    weighted_entry e;
    if (line.size() > line_reader::line_bytes_max || !parse_entry(line, head_, e)) {
      if (line.size() <= line_reader::line_bytes_max && is_blank(line)) return true;
      error_.emplace(n_lines(), explain_entry(line, head_));
      return false;
    }
    ++n_entries_;
    pass(add, e);
    if (head_.is_symmetric && e.row != e.column) {
      std::swap(e.row, e.column);
      pass(add, e);
    }
    return true;
  }

  template <class Add>
  static void pass(Add& add, const weighted_entry& e) {
    if constexpr (std::same_as<E, weighted_entry>) {
      add(e);
    } else {
      add(E{e.row, e.column});
    }
  }

  matrix_market_head head_;
  line_assembler lines_;
  std::int64_t n_entries_ = 0;
  std::optional<input_error> error_;
};

}  // namespace shoal::internal
