/// Writes a file that all PEs share, each at its own offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/graph/internal/input_error.hpp"

namespace shoal::internal {

/// Creates a file of `n_bytes` bytes, or empties the one that is there. Throws errors as input_error, with line 0. Local.
void create_file(const std::string& path, std::int64_t n_bytes);

/// Writes one PE's part of a file, which exists, through a buffer of bounded size. Throws errors as input_error, with
/// line 0.
///
/// The file is open only while a buffer is written: PEs in one process share its descriptor table, and there may be
/// thousands of them.
class part_writer {
public:
  /// The part begins at `offset` and has `n_bytes` bytes, of the `file_bytes` of the whole file.
  part_writer(std::string path, std::int64_t offset, std::int64_t n_bytes, std::int64_t file_bytes);

  /// Room for `n` more bytes, at most `room_bytes_max`; `advance` says how many of them were used.
  char* room(std::size_t n) {
    if (buffer_.size() - n_used_ < n) make_room(n);
    return buffer_.data() + n_used_;
  }
  void advance(std::size_t n) noexcept { n_used_ += n; }

  /// Copies `bytes`, of any number.
  void append(std::span<const char> bytes);

  /// Writes what is in the buffer.
  void flush();

  static constexpr std::size_t room_bytes_max = 512;

private:
  void make_room(std::size_t n);

  std::string path_;
  std::int64_t offset_;
  std::int64_t file_bytes_;
  std::vector<char> buffer_;
  std::size_t n_used_ = 0;
};

/// Writes a file of the parts of all PEs, in the order of PEs. This PE's part has `n_bytes` bytes, which `write` gives
/// to the writer. The file has the name `path` + ".part" until it is complete; if that fails, it is removed.
/// Throws setup_error on every PE or on none. Collective; waits.
void write_shared_file(world& w, const std::string& path, std::int64_t n_bytes,
                       const std::function<void(part_writer&)>& write);

/// What `work` throws. Local.
std::optional<input_error> error_of(const std::function<void()>& work);

}  // namespace shoal::internal
