/// Random numbers that are the same on every platform, so that a seed reproduces a run everywhere.
///
/// The standard fixes its engines but not its distributions, so a failing seed would not replay with another C++
/// library. All of this is integer arithmetic or one exact conversion.
#pragma once

#include <cstdint>

namespace shoal {

/// One step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): advances `state` and returns a well-mixed word. Any
/// state is valid, so it is the usual way to seed other engines.
constexpr std::uint64_t splitmix64(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

/// A word whose every bit depends on every bit of `word`: for hashes and for seeds of streams.
constexpr std::uint64_t mixed_bits(std::uint64_t word) noexcept { return splitmix64(word); }

/// xoshiro256** 1.0 (Blackman and Vigna, 2018). Meets UniformRandomBitGenerator.
///
/// (seed, stream) names a sequence. Engines that differ in either are unrelated in practice: their starting points are
/// 256 hashed bits. Give each PE, or each purpose, its own stream; then one more draw in one place changes no other
/// place.
class random_engine {
public:
  using result_type = std::uint64_t;

  explicit constexpr random_engine(std::uint64_t seed, std::uint64_t stream = 0) noexcept {
    // Streams are spread by hashing: SplitMix64 states that differ by a multiple of its increment
    // would give shifted copies of one sequence.
    std::uint64_t state = mixed_bits(mixed_bits(seed) + 0xd1342543de82ef95 * (stream + 1));
    for (std::uint64_t& word : words_) word = splitmix64(state);
  }

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return ~result_type{0}; }

  constexpr result_type operator()() noexcept {
    const std::uint64_t result = rotated(words_[1] * 5, 7) * 9;
    const std::uint64_t shifted = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= shifted;
    words_[3] = rotated(words_[3], 45);
    return result;
  }

  /// A whole number in [0, n), each equally likely; n > 0. Lemire's method (ACM TOMACS 2019): a multiply,
  /// and a division only in the rare case that may need rejection.
  constexpr std::uint64_t below(std::uint64_t n) noexcept {
    wide product = static_cast<wide>((*this)()) * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < threshold) {
        product = static_cast<wide>((*this)()) * n;
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// A multiple of 2^-53 in [0, 1).
  constexpr double uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// True with probability `p`. Always draws once, so that changing `p` does not shift what follows.
  constexpr bool chance(double p) noexcept { return uniform() < p; }

private:
  __extension__ using wide = unsigned __int128;

  static constexpr std::uint64_t rotated(std::uint64_t word, int by) noexcept {
    return (word << by) | (word >> (64 - by));
  }

  std::uint64_t words_[4];
};

}  // namespace shoal
