/// A file descriptor with an owner.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace shoal::internal {

class descriptor {
public:
  descriptor() = default;
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }

  int get() const noexcept { return fd_; }
  bool is_open() const noexcept { return fd_ >= 0; }

  void close() noexcept {
    if (is_open()) ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

/// A pipe whose ends are not inherited by programs started later. If it fails, both ends are closed; errno says why.
struct pipe_ends {
  descriptor read;
  descriptor write;

  static pipe_ends make() noexcept {
    int fds[2] = {-1, -1};
    if (::pipe2(fds, O_CLOEXEC) != 0) return {};
    return {descriptor(fds[0]), descriptor(fds[1])};
  }
};

/// "; raise ulimit -n, which allows 6" if `error` (of errno) says that this process has too many descriptors open; else
/// empty.
std::string descriptor_advice(int error);

}  // namespace shoal::internal
