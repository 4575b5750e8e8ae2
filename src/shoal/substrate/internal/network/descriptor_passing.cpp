#include "shoal/substrate/internal/network/descriptor_passing.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

namespace shoal::internal::network {
namespace {

// An address in the abstract namespace begins with a zero byte and is ended by its length.
socklen_t address_of(std::uint64_t token, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const int n = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "shoal-%016llx",
                              static_cast<unsigned long long>(token));
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(n));
}

// Names in the abstract namespace have no owner or permissions, so check the peer.
bool is_ours(int connection) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::geteuid();
}

// Not open: errno says why.
descriptor connect(std::uint64_t token, int more_flags) {
  descriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | more_flags, 0));
  sockaddr_un address;
  const socklen_t length = address_of(token, address);
  if (!connection.is_open() || ::connect(connection.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) {
    return {};
  }
  errno = EACCES;
  return is_ours(connection.get()) ? std::move(connection) : descriptor();
}

// One byte, because an empty message carries nothing, and room for one descriptor.
struct descriptor_message {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};

  descriptor_message() {
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
};

bool send_descriptor(int connection, int fd) {
  descriptor_message message;
  cmsghdr* const part = CMSG_FIRSTHDR(&message.header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(part), &fd, sizeof fd);
  return ::sendmsg(connection, &message.header, MSG_NOSIGNAL) == 1;
}

}  // namespace

descriptor listen_under(std::uint64_t token, int n_waiting_max) {
  descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  const socklen_t length = address_of(token, address);
  if (!listener.is_open() || ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::listen(listener.get(), n_waiting_max) != 0) {
    return {};
  }
  return listener;
}

descriptor connect_to(std::uint64_t token) { return connect(token, 0); }

bool is_held_by_us(std::uint64_t token) {
  // A holder binds the name and then listens: a connection between the two is refused.
  for (int n_tries = 100; n_tries > 0; --n_tries) {
    if (connect(token, SOCK_NONBLOCK).is_open()) return true;
    if (errno != ECONNREFUSED) return false;
    ::usleep(1000);
  }
  return false;
}

bool hand_out(const descriptor& listener, int fd, int n) {
  while (n > 0) {
    const descriptor connection(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.is_open()) return false;
    if (!is_ours(connection.get())) continue;
    if (!send_descriptor(connection.get(), fd)) return false;
    --n;
  }
  return true;
}

descriptor take_over(const descriptor& connection) {
  descriptor_message message;
  if (::recvmsg(connection.get(), &message.header, MSG_CMSG_CLOEXEC) != 1) return {};
  const cmsghdr* const part = CMSG_FIRSTHDR(&message.header);
  if (part == nullptr || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) return {};
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(part), sizeof fd);
  return descriptor(fd);
}

}  // namespace shoal::internal::network
