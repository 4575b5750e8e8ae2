/// Random numbers of the comparators: the same on every machine and for every number of PEs.
#pragma once

#include <cstdint>

namespace comparators {

/// A word whose every bit depends on every bit of `word` (the output of SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

/// A sequence for each seed and stream.
class random_sequence {
public:
  random_sequence(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed) ^ stream)) {}

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }
  /// In [0, n).
  std::int64_t below(std::int64_t n) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<wide>(next()) * static_cast<std::uint64_t>(n) >> 64);
  }
  /// In (0, 1].
  double uniform() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }

private:
  std::uint64_t state_;
};

/// A random permutation of [0, n) that needs no memory: four rounds of a Feistel network on the least even number of bits
/// that holds n - 1, again and again until the result is below n.
class random_permutation {
public:
  random_permutation(std::int64_t n, std::uint64_t seed) : n_(static_cast<std::uint64_t>(n)), seed_(seed) {
    while (std::uint64_t{1} << 2 * half_ < n_) ++half_;
  }

  std::int64_t operator()(std::int64_t i) const {
    auto image = static_cast<std::uint64_t>(i);
    do {
      image = shuffled(image);
    } while (image >= n_);
    return static_cast<std::int64_t>(image);
  }

private:
  std::uint64_t shuffled(std::uint64_t word) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = word >> half_;
    std::uint64_t right = word & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mixed(seed_ + 4 * right + round) & mask);
      left = right;
      right = next;
    }
    return left << half_ | right;
  }

  std::uint64_t n_;
  std::uint64_t seed_;
  int half_ = 1;
};

}  // namespace comparators
