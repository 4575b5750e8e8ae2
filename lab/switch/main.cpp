// The switch of an emulated network: carries frames between TAP devices, later and more slowly than the kernel would.
//
//   lab_switch [--delay-ns D] [--jitter-ns J] [--rate BITS_PER_SECOND] [--reorder P] [--seed S] FD...
//
// Descriptor i of FD... is the TAP device of host i+1, opened in the host's namespace (network.py). Frames may be as long as
// the kernel lets TCP make them (64 KiB); they carry a virtio header, which the other host's kernel reads. It
// prints "ready" when it carries frames. At SIGTERM it tells what it did in one line of JSON and ends.
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/switch/wires.hpp"

namespace lab {
namespace {

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "lab_switch: %s\n", what);
  std::exit(2);
}

nanoseconds now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * nanoseconds{1'000'000'000} + time.tv_nsec;
}

constexpr std::size_t virtio_header = 10;
constexpr std::size_t ethernet_header = 14;
constexpr std::size_t frame_max = virtio_header + ethernet_header + 65536;
// Before and after a frame on the wire: preamble, check sum, gap.
constexpr std::int64_t around_frame = 24;

// What a frame takes of the wire. A long frame is cut into segments, each with its headers.
std::int64_t bytes_on_wire(const std::byte* frame, std::size_t size) {
  std::uint16_t header = 0;
  std::uint16_t segment = 0;
  std::memcpy(&header, frame + 2, 2);
  std::memcpy(&segment, frame + 4, 2);
  const auto bytes = static_cast<std::int64_t>(size - virtio_header);
  if (segment == 0 || header == 0 || bytes <= header) return bytes + around_frame;
  const std::int64_t data = bytes - header;
  const std::int64_t n = (data + segment - 1) / segment;
  return data + n * (header + around_frame);
}

struct frame {
  nanoseconds arrival;
  std::uint64_t number;  // frames of one time leave in the order in which they came
  int to;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};
struct is_later {
  bool operator()(const frame& a, const frame& b) const {
    return a.arrival != b.arrival ? a.arrival > b.arrival : a.number > b.number;
  }
};

class network_switch {
public:
  network_switch(const network_shape& shape, std::vector<int> taps)
      : wires_(shape, static_cast<int>(taps.size())), taps_(std::move(taps)), is_read_(taps_.size(), true) {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    for (std::size_t host = 0; host < taps_.size(); ++host) watch(EPOLL_CTL_ADD, host);
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigprocmask(SIG_BLOCK, &ending, nullptr);
    ending_ = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = taps_.size()}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, ending_, &event);
  }

  void run() {
    while (!has_ended_) {
      wait();
      deliver();
    }
  }

  void report() const {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const double seconds = static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                           1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    std::printf(
        "{\"frames\": %llu, \"bytes\": %llu, \"refused\": %llu, \"late_ns\": {\"mean\": %.0f, \"max\": %lld}, "
        "\"processor_seconds\": %.3f}\n",
        static_cast<unsigned long long>(n_frames_), static_cast<unsigned long long>(n_bytes_),
        static_cast<unsigned long long>(n_refused_),
        n_frames_ == 0 ? 0.0 : static_cast<double>(sum_late_) / static_cast<double>(n_frames_),
        static_cast<long long>(most_late_), seconds);
  }

private:
  // More than this lies in a host's wire only if the host's own queue holds the rest.
  static constexpr nanoseconds backlog_max = 1'000'000;
  static constexpr int n_at_once = 16;  // frames of a host before others have their turn

  void watch(int operation, std::size_t host) const {
    epoll_event event{.events = is_read_[host] ? EPOLLIN : 0u, .data = {.u64 = host}};
    if (epoll_ctl(epoll_, operation, taps_[host], &event) != 0) refuse("a descriptor is no TAP device");
  }

  // Until a frame comes, one must leave, or a host's wire has room again.
  void wait() {
    nanoseconds until = waiting_.empty() ? INT64_MAX : waiting_.top().arrival - early_;
    for (std::size_t host = 0; host < taps_.size(); ++host) {
      if (!is_read_[host]) until = std::min(until, wires_.is_up_free_at(static_cast<int>(host)));
    }
    std::array<epoll_event, 64> events{};
    timespec time{};
    const bool has_deadline = until != INT64_MAX;
    const nanoseconds left = has_deadline ? std::max<nanoseconds>(0, until - now_ns()) : 0;
    time.tv_sec = left / 1'000'000'000;
    time.tv_nsec = left % 1'000'000'000;
    const int n =
        epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), has_deadline ? &time : nullptr, nullptr);
    const nanoseconds now = now_ns();
    // What the timer is late by is known only if it woke us. Later ones are set earlier by it.
    if (n == 0 && left > 0 && !waiting_.empty()) {
      const nanoseconds late = now - until;
      early_ = std::clamp<nanoseconds>(early_ + (late - early_) / 16, 0, 100'000);
    }
    for (int i = 0; i < n; ++i) {
      const std::size_t host = events[static_cast<std::size_t>(i)].data.u64;
      if (host == taps_.size()) {
        has_ended_ = true;
      } else {
        read(host);
      }
    }
    for (std::size_t host = 0; host < taps_.size(); ++host) {
      if (!is_read_[host] && wires_.is_up_free_at(static_cast<int>(host)) <= now) read_again(host, true);
    }
  }

  void read_again(std::size_t host, bool does) {
    is_read_[host] = does;
    watch(EPOLL_CTL_MOD, host);
  }

  void read(std::size_t host) {
    const int from = static_cast<int>(host);
    for (int i = 0; i < n_at_once; ++i) {
      const ssize_t size = ::read(taps_[host], buffer_.data(), buffer_.size());
      if (size < static_cast<ssize_t>(virtio_header + ethernet_header)) return;
      const nanoseconds now = now_ns();
      const std::int64_t bytes = bytes_on_wire(buffer_.data(), static_cast<std::size_t>(size));
      const nanoseconds left = wires_.go_up(from, now, bytes);
      const auto copy = std::make_shared<const std::vector<std::byte>>(buffer_.data(), buffer_.data() + size);
      const int to = target();
      for (int other = 0; other < static_cast<int>(taps_.size()); ++other) {
        if (other == from || (to >= 0 && other != to)) continue;
        waiting_.push({wires_.go_down(from, other, left, bytes), number_++, other, copy});
      }
      if (left - now > backlog_max) return read_again(host, false);
    }
  }

  // By its address, 02:00:00:00:xx:xx; -1: all hosts.
  int target() const {
    const std::byte* address = buffer_.data() + virtio_header;
    if ((address[0] & std::byte{1}) != std::byte{}) return -1;
    return (std::to_integer<int>(address[4]) << 8 | std::to_integer<int>(address[5])) - 1;
  }

  void deliver() {
    while (!waiting_.empty()) {
      const nanoseconds now = now_ns();
      const frame& next = waiting_.top();
      if (next.arrival - early_ > now) return;
      const nanoseconds late = now - next.arrival;
      sum_late_ += late;
      most_late_ = std::max(most_late_, late);
      ++n_frames_;
      n_bytes_ += next.bytes->size() - virtio_header;
      if (write(taps_[static_cast<std::size_t>(next.to)], next.bytes->data(), next.bytes->size()) < 0) ++n_refused_;
      waiting_.pop();
    }
  }

  wires wires_;
  std::vector<int> taps_;
  std::vector<char> is_read_;  // whether frames of a host are taken now
  int epoll_ = -1;
  int ending_ = -1;
  bool has_ended_ = false;
  std::priority_queue<frame, std::vector<frame>, is_later> waiting_;
  std::uint64_t number_ = 0;
  nanoseconds early_ = 0;  // by how much timers are late
  std::array<std::byte, frame_max> buffer_;

  std::uint64_t n_frames_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_refused_ = 0;
  nanoseconds sum_late_ = 0;
  nanoseconds most_late_ = 0;
};

template <class T>
T number_of(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) refuse("an option is no number");
  return value;
}

int main_of_switch(int argc, char** argv) {
  network_shape shape;
  std::vector<int> taps;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--")) {
      taps.push_back(number_of<int>(word));
      continue;
    }
    if (++i == argc) refuse("the last option has no value");
    const std::string_view value = argv[i];
    if (word == "--delay-ns") {
      shape.delay = number_of<nanoseconds>(value);
    } else if (word == "--jitter-ns") {
      shape.jitter = number_of<nanoseconds>(value);
    } else if (word == "--rate") {
      shape.bits_per_second = number_of<double>(value);
    } else if (word == "--reorder") {
      shape.reorder = number_of<double>(value);
    } else if (word == "--seed") {
      shape.seed = number_of<std::uint64_t>(value);
    } else {
      refuse("unknown option");
    }
  }
  // So that it wakes up in time, before what else is ready to run. Without the right to, delays are less exact.
  prctl(PR_SET_TIMERSLACK, 1);
  const sched_param priority{.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  network_switch carrier(shape, std::move(taps));
  std::puts("ready");
  std::fflush(stdout);
  carrier.run();
  carrier.report();
  return 0;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) { return lab::main_of_switch(argc, argv); }
