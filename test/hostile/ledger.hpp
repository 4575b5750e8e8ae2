/// The ledger of a random program: every message is drawn from what it says about itself, and is counted by its sender
/// and by its receiver.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"

namespace shoal::test {

/// What a message's first word says. `check` follows from the rest, the target and the seed.
struct identity {
  std::uint64_t from : 8;
  std::uint64_t hops_left : 4;  // how often it may still be passed on
  std::uint64_t channel : 8;
  // A send of the main program may let handlers run, which send before it; so the two are counted apart.
  std::uint64_t is_handlers : 1;
  std::uint64_t number : 27;  // among those of this sender to this target on this channel
  std::uint64_t check : 16;
};
static_assert(sizeof(identity) == 8);

/// A message of `N` bytes, all of which follow from the first word.
template <std::size_t N>
struct parcel {
  std::uint64_t word;
  std::array<std::byte, N - 8> rest;
};
template <>
struct parcel<8> {
  std::uint64_t word;
};

inline void fill_rest(std::uint64_t word, std::span<std::byte> rest) {
  for (std::size_t i = 0; i < rest.size(); i += 8) {
    const std::uint64_t drawn = mixed_bits(word + i);
    std::memcpy(rest.data() + i, &drawn, std::min<std::size_t>(8, rest.size() - i));
  }
}
inline bool is_rest_of(std::uint64_t word, std::span<const std::byte> rest) {
  for (std::size_t i = 0; i < rest.size(); i += 8) {
    const std::uint64_t drawn = mixed_bits(word + i);
    if (std::memcmp(rest.data() + i, &drawn, std::min<std::size_t>(8, rest.size() - i)) != 0) return false;
  }
  return true;
}
template <std::size_t N>
parcel<N> parcel_of(std::uint64_t word) {
  parcel<N> made{};
  made.word = word;
  if constexpr (N > 8) fill_rest(word, made.rest);
  return made;
}
template <std::size_t N>
bool is_whole(const parcel<N>& p) {
  if constexpr (N > 8) return is_rest_of(p.word, p.rest);
  return true;
}

/// What one PE has sent to each PE, and received. A broken promise ends the process with status 3 and one line.
class ledger {
public:
  static constexpr std::size_t n_channels = 256;

  ledger(world& w, std::uint64_t seed)
      : world_(w), seed_(seed), n_pes_(static_cast<std::size_t>(w.n_pes())), sent_(n_pes_) {
    for (auto* numbers : {&next_out_, &next_in_}) numbers->resize(2 * n_channels * n_pes_);
  }

  /// The channel starts anew.
  void open(unsigned channel) {
    for (auto* numbers : {&next_out_, &next_in_}) {
      std::fill_n(numbers->begin() + static_cast<std::ptrdiff_t>(2 * channel * n_pes_), 2 * n_pes_, 0);
    }
  }

  /// The word of the next message to `target`. It counts as sent once `count_sent` is told.
  std::uint64_t word_for(pe_id target, unsigned channel, unsigned hops_left, bool is_handlers = false) const {
    identity its{};
    its.from = static_cast<std::uint64_t>(world_.my_pe()) & 0xff;
    its.hops_left = hops_left & 0xf;
    its.channel = channel & 0xff;
    its.is_handlers = is_handlers ? 1 : 0;
    its.number = next_out_[place(its, target)] & 0x7ffffff;
    its.check = check_of(its, target) & 0xffff;
    return std::bit_cast<std::uint64_t>(its);
  }
  void count_sent(pe_id target, std::uint64_t word) {
    ++next_out_[place(std::bit_cast<identity>(word), target)];
    sent_[static_cast<std::size_t>(target)].add(word);
  }

  /// Checks and counts what has arrived; `is_whole`: whether the rest of the message is that of its word. Returns what
  /// the message says.
  identity receive(std::uint64_t word, unsigned channel, bool is_whole) {
    const auto its = std::bit_cast<identity>(word);
    if (its.check != (check_of(its, world_.my_pe()) & 0xffff)) fail("a message is damaged, or came to the wrong PE");
    if (its.channel != channel) {
      fail("a message of channel " + std::to_string(its.channel) + " came on channel " + std::to_string(channel));
    }
    const std::string what = "message " + std::to_string(its.number) + " of channel " + std::to_string(channel) +
                             " from PE " + std::to_string(its.from);
    if (!is_whole) fail(what + " is damaged");
    std::uint32_t& due = next_in_[place(its, static_cast<pe_id>(its.from))];
    if (its.number != due) fail(what + " came where " + std::to_string(due) + " was due");
    ++due;
    received_.add(word);
    return its;
  }

  /// Collective: everything sent has been received, once.
  void settle(const char* when) {
    for (pe_id pe = 0; pe < world_.n_pes(); ++pe) {
      const tally all = world_.all_reduce(sent_[static_cast<std::size_t>(pe)], [](tally a, const tally& b) {
        a.n += b.n;
        a.sum += b.sum;
        return a;
      });
      if (pe == world_.my_pe() && (all.n != received_.n || all.sum != received_.sum)) {
        fail(std::string("after ") + when + " there should be " + std::to_string(all.n) + " messages, not " +
             std::to_string(received_.n) + (all.n == received_.n ? " others" : ""));
      }
    }
  }

  std::uint64_t n_received() const noexcept { return received_.n; }

  [[noreturn]] void fail(const std::string& what) const {
    std::fprintf(stderr, "hostile: PE %d: %s\n", static_cast<int>(world_.my_pe()), what.c_str());
    std::_Exit(3);
  }
  void expect(bool is_true, const char* what) const {
    if (!is_true) fail(what);
  }

private:
  struct tally {
    std::uint64_t n = 0;
    std::uint64_t sum = 0;  // of the mixed words, which wraps
    void add(std::uint64_t word) {
      ++n;
      sum += mixed_bits(word);
    }
  };

  std::size_t place(const identity& its, pe_id other) const {
    return (2 * its.channel + its.is_handlers) * n_pes_ + static_cast<std::size_t>(other);
  }
  std::uint64_t check_of(identity its, pe_id target) const {
    its.check = 0;
    return mixed_bits(std::bit_cast<std::uint64_t>(its) ^ mixed_bits(seed_ + static_cast<std::uint64_t>(target)));
  }

  world& world_;
  std::uint64_t seed_;
  std::size_t n_pes_;
  std::vector<std::uint32_t> next_out_;  // by channel and PE
  std::vector<std::uint32_t> next_in_;
  std::vector<tally> sent_;  // by target
  tally received_;
};

}  // namespace shoal::test
