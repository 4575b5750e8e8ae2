// Measures the network between two hosts as programs meet it.
//
//   lab_probe serve                answers until its input ends
//   lab_probe measure ADDRESS S    the median round trip of 64 bytes, and the rate of a stream of S seconds (0: none); JSON
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

constexpr std::uint16_t port = 7777;
constexpr std::size_t n_round_trips = 300;
constexpr std::size_t n_slow_round_trips = 21;  // if more would take long
constexpr double long_s = 0.3;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int opened(int kind) {
  const int s = socket(AF_INET, kind | SOCK_CLOEXEC, 0);
  if (s < 0) fail("socket");
  const int on = 1;
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return s;
}

sockaddr_in place(const char* address) {
  sockaddr_in to{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {}, .sin_zero = {}};
  if (inet_pton(AF_INET, address, &to.sin_addr) != 1) {
    std::fprintf(stderr, "lab_probe: %s is no address\n", address);
    std::exit(2);
  }
  return to;
}

int bound(int kind) {
  const int s = opened(kind);
  const sockaddr_in here = place("0.0.0.0");
  if (bind(s, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) fail("bind");
  return s;
}

int connected(int kind, const char* address) {
  const int s = opened(kind);
  const sockaddr_in there = place(address);
  if (connect(s, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) fail(address);
  return s;
}

// Tells the sender of a stream at which rate it came. The first quarter of a second is left out: the sender finds out then how
// fast it may be.
void receive_stream(int stream, std::vector<char>& bytes) {
  double first = 0;
  double begin = 0;
  double end = 0;
  double sum = 0;
  for (ssize_t n = 0; (n = read(stream, bytes.data(), bytes.size())) > 0;) {
    end = now_s();
    if (first == 0) first = end;
    if (end - first < 0.25) {
      begin = end;
    } else {
      sum += static_cast<double>(n);
    }
  }
  const double rate = end > begin ? 8 * sum / (end - begin) : 0;
  if (write(stream, &rate, sizeof rate) < 0) std::perror("write");
}

// Sends datagrams back.
void serve() {
  const int datagrams = bound(SOCK_DGRAM);
  const int streams = bound(SOCK_STREAM);
  if (listen(streams, 1) != 0) fail("listen");
  std::puts("ready");
  std::fflush(stdout);
  std::vector<char> bytes(1 << 20);
  std::array<pollfd, 3> waits = {{{STDIN_FILENO, POLLIN, 0}, {datagrams, POLLIN, 0}, {streams, POLLIN, 0}}};
  while (poll(waits.data(), waits.size(), -1) >= 0 && waits[0].revents == 0) {
    if (waits[1].revents != 0) {
      sockaddr_in from{};
      socklen_t length = sizeof from;
      auto* const name = reinterpret_cast<sockaddr*>(&from);
      const ssize_t n = recvfrom(datagrams, bytes.data(), bytes.size(), 0, name, &length);
      if (n > 0) sendto(datagrams, bytes.data(), static_cast<std::size_t>(n), 0, name, length);
    }
    if (waits[2].revents != 0) {
      const int stream = accept(streams, nullptr, nullptr);
      receive_stream(stream, bytes);
      close(stream);
    }
  }
}

double round_trip_s(const char* address) {
  const int s = connected(SOCK_DGRAM, address);
  std::vector<double> seconds;
  std::array<char, 64> bytes{};
  const double begin = now_s();
  while (seconds.size() < (now_s() - begin < long_s ? n_round_trips : n_slow_round_trips)) {
    const double sent = now_s();
    if (send(s, bytes.data(), bytes.size(), 0) < 0) fail("send");
    pollfd wait{s, POLLIN, 0};
    if (poll(&wait, 1, 30'000) != 1) fail("no answer");
    if (recv(s, bytes.data(), bytes.size(), 0) < 0) fail("recv");
    seconds.push_back(now_s() - sent);
  }
  close(s);
  const auto median = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), median, seconds.end());
  return *median;
}

double bits_per_second(const char* address, double seconds) {
  const int s = connected(SOCK_STREAM, address);
  const std::vector<char> bytes(1 << 18);
  for (const double end = now_s() + seconds; now_s() < end;) {
    if (write(s, bytes.data(), bytes.size()) < 0) fail("write");
  }
  shutdown(s, SHUT_WR);
  double rate = 0;
  if (read(s, &rate, sizeof rate) != sizeof rate) fail("no answer");
  close(s);
  return rate;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "serve") == 0) {
    serve();
    return 0;
  }
  if (argc != 4) {
    std::fputs("lab_probe: serve, or measure ADDRESS SECONDS\n", stderr);
    return 2;
  }
  const double round_trip = round_trip_s(argv[2]);
  const double seconds = std::atof(argv[3]);
  std::printf("{\"round_trip_ns\": %.0f, \"bits_per_second\": %.0f}\n", 1e9 * round_trip,
              seconds > 0 ? bits_per_second(argv[2], seconds) : 0);
}
