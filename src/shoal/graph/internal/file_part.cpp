#include "shoal/graph/internal/file_part.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "shoal/graph/internal/text_file.hpp"

namespace shoal::internal {
namespace {

[[noreturn]] void refuse_part(const char* what, int error) {
  throw input_error(0, std::string(what) + " on PE " + std::to_string(world::current().my_pe()) + ": " +
                           std::generic_category().message(error) +
                           "; every PE reads its part of the file, so all need access to it");
}

}  // namespace

std::size_t part_reader::read(std::int64_t offset, std::span<char> into) const {
  const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse_part("cannot be opened", errno);
  std::size_t n_read = 0;
  int error = 0;
  while (n_read < into.size()) {
    const ssize_t n = ::pread(fd, into.data() + n_read, into.size() - n_read,
                              static_cast<off_t>(offset) + static_cast<off_t>(n_read));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0) break;
    n_read += static_cast<std::size_t>(n);
  }
  ::close(fd);
  if (error != 0) refuse_part("cannot be read", error);
  return n_read;
}

std::int64_t part_reader::line_begin(std::int64_t offset, std::int64_t end) const {
  if (offset >= end) return end;
  // A line begins at `offset` if the byte before it ends one. Searching stops after the longest possible line, and may
  // thus stop inside a longer one; the PE whose part holds that line's begin reports it.
  constexpr auto n_searched_max = static_cast<std::int64_t>(line_reader::line_bytes_max) + 2;
  std::int64_t at = offset - 1;
  const std::int64_t stop = std::min(end, at + n_searched_max);
  char piece[4096];
  while (at < stop) {
    const auto n_wanted = static_cast<std::size_t>(std::min<std::int64_t>(sizeof piece, stop - at));
    const std::size_t n = read(at, std::span(piece).first(n_wanted));
    if (n == 0) break;
    const std::size_t found = std::string_view(piece, n).find('\n');
    if (found != std::string_view::npos) return at + static_cast<std::int64_t>(found) + 1;
    at += static_cast<std::int64_t>(n);
  }
  return at;
}

}  // namespace shoal::internal
