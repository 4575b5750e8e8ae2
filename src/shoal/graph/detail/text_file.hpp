/// Text files, plain or compressed with gzip, read from begin to end by one PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/graph/detail/input_error.hpp"

namespace shoal::detail {

/// The bytes of a file, decompressed. Errors are thrown as input_error, about line 0.
class byte_source {
public:
  /// Throws if the file cannot be opened, is not a regular file or is compressed in a way that this
  /// build cannot read.
  explicit byte_source(const std::string& path);
  ~byte_source();
  byte_source(byte_source&&) noexcept;
  byte_source& operator=(byte_source&&) = delete;

  /// Reads up to `into.size()` bytes; fewer only at the end of the file. Throws if what is compressed is
  /// damaged or ends too early, after everything before the damage has been read.
  std::size_t read(std::span<char> into);

  bool is_compressed() const noexcept;

  /// Size of the file as it lies on disk.
  std::int64_t file_bytes() const noexcept;

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// A file line by line, or in blocks of lines, with line numbers. Memory is bounded whatever the file
/// holds: a line longer than `line_bytes_max` is an error.
class line_reader {
public:
  static constexpr std::size_t line_bytes_max = 64 * 1024;

  explicit line_reader(byte_source& source) : source_(source) {}

  /// Takes the next line, without its end ("\n" or "\r\n"). False at the end of the file. The view lives
  /// until the next call. Errors are thrown with the number of the line that they are in.
  [[nodiscard]] bool next(std::string_view& line);

  /// Takes as many whole lines as fit into `bytes_max` (> line_bytes_max), ends included; the last one
  /// of the file may have none. Empty at the end of the file. The view lives until the next call.
  std::string_view next_block(std::size_t bytes_max);

  /// Lines taken so far; so, after next(), the number of that line.
  std::int64_t n_lines() const noexcept { return n_lines_; }

  /// Bytes taken so far.
  std::int64_t n_bytes() const noexcept { return n_bytes_; }

private:
  std::string_view rest() const noexcept { return {buffer_.data() + begin_, end_ - begin_}; }
  void fill(std::size_t n_wanted);
  std::string_view take(std::size_t n);
  [[noreturn]] void fail_at_next_line() const;

  byte_source& source_;
  std::vector<char> buffer_;  // [begin_, end_) is read but not taken
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_at_end_ = false;  // of the file, or of what could be read of it
  std::optional<std::string> damage_;  // why no more could be read
  std::int64_t n_lines_ = 0;
  std::int64_t n_bytes_ = 0;
};

}  // namespace shoal::detail
