/// Reads text files, plain or compressed with gzip, sequentially on one PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/graph/internal/input_error.hpp"

namespace shoal::internal {

/// The bytes of a file, decompressed. Throws errors as input_error, with line 0.
class byte_source {
public:
  /// Throws if the file cannot be opened, is not a regular file, or is compressed in a format that this build cannot
  /// read.
  explicit byte_source(const std::string& path);
  ~byte_source();
  byte_source(byte_source&&) noexcept;
  byte_source& operator=(byte_source&&) = delete;

  /// Reads up to `into.size()` bytes; fewer only at the end of the file. Throws if compressed data are damaged or end
  /// too early, but only after everything before the damage has been read.
  std::size_t read(std::span<char> into);

  bool is_compressed() const noexcept;

  /// Size of the file on disk.
  std::int64_t file_bytes() const noexcept;

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Reads a file line by line, or in blocks of lines, and counts lines. Memory is bounded for any file: a line longer
/// than `line_bytes_max` is an error.
class line_reader {
public:
  static constexpr std::size_t line_bytes_max = 64 * 1024;

  explicit line_reader(byte_source& source) : source_(source) {}

  /// Takes the next line, without its end ("\n" or "\r\n"). False at the end of the file. The view is valid until the
  /// next call. Errors carry the number of their line.
  [[nodiscard]] bool next(std::string_view& line);

  /// Takes as many whole lines as fit into `bytes_max` (> line_bytes_max), with their ends; the file's last line may
  /// have none. Empty at the end of the file. The view is valid until the next call.
  std::string_view next_block(std::size_t bytes_max);

  /// Number of lines taken; after next(), the number of that line.
  std::int64_t n_lines() const noexcept { return n_lines_; }

  /// Number of bytes taken.
  std::int64_t n_bytes() const noexcept { return n_bytes_; }

private:
  std::string_view rest() const noexcept { return {buffer_.data() + begin_, end_ - begin_}; }
  void fill(std::size_t n_wanted);
  std::string_view take(std::size_t n);
  [[noreturn]] void fail_at_next_line() const;

  byte_source& source_;
  std::vector<char> buffer_;  // [begin_, end_) is read but not yet taken
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_at_end_ = false;  // end of the file, or of its readable part
  std::optional<std::string> damage_;  // why reading stopped
  std::int64_t n_lines_ = 0;
  std::int64_t n_bytes_ = 0;
};

}  // namespace shoal::internal
