#include "shoal/graph/internal/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;

[[noreturn]] void refuse_output(const char* what, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw input_error(0, std::string(what) + " on PE " + std::to_string(world::current().my_pe()) + ": " +
                           std::generic_category().message(error) +
                           (is_full ? "; free space there, or write to another file system"
                                    : "; name a file in a folder that exists and that every PE may write to"));
}

// Takes the descriptor, so that it is closed before anything is thrown.
void close_and_check(int fd, const char* what, int error) {
  // Some file systems tell only now that the disk is full.
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error != 0) refuse_output(what, error);
}

// What is there already under the name of the file to be.
void check_target(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) throw input_error(0, "is a directory; name a file in it");
  if (!S_ISREG(status.st_mode)) throw input_error(0, "is not a regular file; write to one first");
}

}  // namespace

std::optional<input_error> error_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const input_error& e) {
    return e;
  }
}

void create_file(const std::string& path, std::int64_t n_bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) refuse_output("cannot be created", errno);
  const int error = ::ftruncate(fd, static_cast<off_t>(n_bytes)) == 0 ? 0 : errno;
  close_and_check(fd, "cannot be written", error);
}

part_writer::part_writer(std::string path, std::int64_t offset, std::int64_t n_bytes, std::int64_t file_bytes)
    : path_(std::move(path)),
      offset_(offset),
      file_bytes_(file_bytes),
      buffer_(std::min(buffer_bytes, static_cast<std::size_t>(n_bytes) + room_bytes_max)) {}

void part_writer::make_room(std::size_t n) {
  SHOAL_EXPECT(n <= room_bytes_max);
  flush();
}

void part_writer::append(std::span<const char> bytes) {
  while (!bytes.empty()) {
    if (n_used_ == buffer_.size()) flush();
    const std::size_t n = std::min(bytes.size(), buffer_.size() - n_used_);
    std::memcpy(buffer_.data() + n_used_, bytes.data(), n);
    n_used_ += n;
    bytes = bytes.subspan(n);
  }
}

void part_writer::flush() {
  if (n_used_ == 0) return;
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) refuse_output("cannot be opened", errno);
  int error = 0;
  struct stat status{};
  if (::fstat(fd, &status) != 0) error = errno;
  const bool is_another = error == 0 && status.st_size != static_cast<off_t>(file_bytes_);
  for (std::size_t n_written = 0; error == 0 && !is_another && n_written < n_used_;) {
    const ssize_t n = ::pwrite(fd, buffer_.data() + n_written, n_used_ - n_written,
                               static_cast<off_t>(offset_) + static_cast<off_t>(n_written));
    if (n >= 0) n_written += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) error = errno;
  }
  close_and_check(fd, "cannot be written", error);
  if (is_another) {
    throw input_error(0, "is on PE " + std::to_string(world::current().my_pe()) +
                             " another file than on PE 0; name a file in a folder that all PEs share");
  }
  offset_ += static_cast<std::int64_t>(n_used_);
  n_used_ = 0;
}

void write_shared_file(world& w, const std::string& path, std::int64_t n_bytes,
                       const std::function<void(part_writer&)>& write) {
  const std::string part = path + ".part";
  const std::int64_t offset = w.exclusive_scan(n_bytes);
  const std::int64_t file_bytes = w.sum(n_bytes);
  std::optional<input_error> error;
  const bool is_first = w.my_pe() == 0;
  if (is_first) error = error_of([&] { check_target(path); });
  agree(w, path, error);
  if (is_first) error = error_of([&] { create_file(part, file_bytes); });
  if (error) ::unlink(part.c_str());
  agree(w, part, error);

  error = error_of([&] {
    part_writer writer(part, offset, n_bytes, file_bytes);
    write(writer);
    writer.flush();
  });
  if (w.max(error ? 1 : 0) != 0) {
    if (is_first) ::unlink(part.c_str());
    agree(w, part, error);
  }
  if (is_first) {
    error = error_of([&] {
      if (std::rename(part.c_str(), path.c_str()) == 0) return;
      const int reason = errno;
      ::unlink(part.c_str());
      refuse_output("cannot be given to the file that was written", reason);
    });
  }
  agree(w, path, error);
}

}  // namespace shoal::internal
