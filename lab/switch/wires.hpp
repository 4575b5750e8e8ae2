/// When frames are where: the wires of an emulated network, without any input or output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace lab {

using nanoseconds = std::int64_t;

/// What the user asked for.
struct network_shape {
  nanoseconds delay = 0;  // from host to host, one way
  nanoseconds jitter = 0;  // how much more or less, evenly distributed
  double bits_per_second = 0;  // of each host's wire, in each direction; 0: no limit
  double reorder = 0;  // probability that a frame does not wait for those before it, and has no delay but the wires'
  std::uint64_t seed = 1;
};

/// One direction of a host's wire. Bits leave it one after the other.
class wire {
public:
  /// A frame that begins now or later, if the wire is free only then. Returns when its last bit has left.
  nanoseconds send(nanoseconds begin, nanoseconds duration) {
    free_ = std::max(begin, free_) + duration;
    return free_;
  }
  /// The last bits of a frame come at `end` at the earliest; its first ones came before.
  nanoseconds receive(nanoseconds end, nanoseconds duration) {
    free_ = std::max(end, free_ + duration);
    return free_;
  }
  nanoseconds free() const { return free_; }

private:
  nanoseconds free_ = 0;
};

/// The wires of all hosts, and the delay between them. Frames between two hosts stay in order, except as asked for.
class wires {
public:
  wires(const network_shape& shape, int n_hosts)
      : shape_(shape),
        n_(static_cast<std::size_t>(n_hosts)),
        up_(n_),
        down_(n_),
        last_arrival_(n_ * n_, 0),
        random_(shape.seed) {}

  /// The frame's way up from its host, which begins now. Returns when it has left.
  nanoseconds go_up(int from, nanoseconds now, std::int64_t bytes) {
    return up_[static_cast<std::size_t>(from)].send(now, duration(bytes));
  }
  /// When a frame that has left arrives at another host.
  nanoseconds go_down(int from, int to, nanoseconds left, std::int64_t bytes) {
    const auto target = static_cast<std::size_t>(to);
    const nanoseconds end = down_[target].receive(left, duration(bytes));
    if (shape_.reorder > 0 && std::bernoulli_distribution(shape_.reorder)(random_)) return end;
    nanoseconds more = shape_.delay;
    if (shape_.jitter > 0) more += std::uniform_int_distribution<nanoseconds>(-shape_.jitter, shape_.jitter)(random_);
    nanoseconds& last = last_arrival_[static_cast<std::size_t>(from) * n_ + target];
    last = std::max(last, end + std::max<nanoseconds>(0, more));
    return last;
  }
  /// When everything that a host has sent will have left.
  nanoseconds is_up_free_at(int from) const { return up_[static_cast<std::size_t>(from)].free(); }

private:
  nanoseconds duration(std::int64_t bytes) const {
    return shape_.bits_per_second == 0
               ? 0
               : static_cast<nanoseconds>(static_cast<double>(bytes) * 8e9 / shape_.bits_per_second);
  }

  network_shape shape_;
  std::size_t n_;
  std::vector<wire> up_;
  std::vector<wire> down_;
  std::vector<nanoseconds> last_arrival_;  // of frames that wait for each other, from * n + to
  std::mt19937_64 random_;
};

}  // namespace lab
