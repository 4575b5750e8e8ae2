/// Memory of several ranks in one process, as the most awkward one-sided library could offer it: what is put arrives
/// late, in any order that remote_memory allows, and from sources that are read as late as may be. Either a word comes
/// behind the buffers, or nothing has any order and buffers are signed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/substrate/internal/one_sided/fingerprint.hpp"
#include "shoal/substrate/internal/one_sided/landing.hpp"

namespace shoal::internal::one_sided {

class late_network;

class late_memory final : public remote_memory {
public:
  late_memory(late_network& network, std::size_t bytes, std::size_t payload_bytes, bool signs)
      : network_(network), lines_(bytes / sizeof(buffer) + 1), payload_bytes_(payload_bytes), signs_(signs) {
    std::memset(at(0), 0, lines_.size() * sizeof(buffer));
  }

  void put(int rank, std::size_t offset, buffer& full, std::size_t word, std::uint64_t nth) override;
  bool has_arrived(const buffer& place, std::size_t word, std::uint64_t nth) const override {
    return signs_ ? is_whole(place, nth, payload_bytes_) : this->word(word) >= nth;
  }
  std::size_t n_taken_over(std::size_t n) override;
  void put_word(int rank, std::size_t word, const std::uint64_t& value) override;
  std::uint64_t word(std::size_t offset) const override {
    std::uint64_t value = 0;
    std::memcpy(&value, at(offset), sizeof value);
    return value;
  }
  std::byte* at(std::size_t offset) const override {
    return reinterpret_cast<std::byte*>(const_cast<buffer*>(lines_.data())) + offset;
  }

  // Makes one step of one put, if one is legal at the place that `random` chose.
  void step(random_engine& random);
  bool is_quiet() const { return under_way_.empty(); }

private:
  struct operation {
    int rank = 0;
    std::size_t offset = 0;
    const std::byte* source = nullptr;  // until it is taken over
    std::vector<std::byte> copy{};  // since then
    std::size_t begin = 0;  // of the bytes that have not arrived
    std::size_t end = 0;
    bool is_word = false;  // arrives at once
    bool tells = false;  // when it has arrived, of `value` in `word`
    std::size_t word = 0;
    std::uint64_t value = 0;
  };

  // The header arrives first if it is signed and last if not, so that no header proves its payload.
  void deliver(operation& now, std::size_t bytes);
  void store(int rank, std::size_t word, std::uint64_t value) {
    std::memcpy(network_at(rank).at(word), &value, sizeof value);
  }
  late_memory& network_at(int rank);
  bool may_tell(std::size_t index) const;
  void tell(std::size_t index);

  late_network& network_;
  std::vector<buffer> lines_;
  std::size_t payload_bytes_;
  bool signs_;
  std::deque<operation> under_way_;
};

class late_network {
public:
  late_network(std::size_t n_ranks, std::size_t bytes, std::size_t payload_bytes, bool signs) {
    for (std::size_t rank = 0; rank < n_ranks; ++rank) {
      ranks_.push_back(std::make_unique<late_memory>(*this, bytes, payload_bytes, signs));
    }
  }

  late_memory& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  void step(random_engine& random) { ranks_[random.below(ranks_.size())]->step(random); }
  bool is_quiet() const {
    return std::ranges::all_of(ranks_, [](const auto& each) { return each->is_quiet(); });
  }

  // Places that hold a buffer: taken when the put starts, returned by the receiver.
  void take_place(int rank, std::size_t offset) {
    EXPECT_TRUE(taken_.insert({rank, offset}).second) << "a place is written while it is in use";
  }
  void give_place(int rank, std::size_t offset) { EXPECT_EQ(taken_.erase({rank, offset}), 1u); }

private:
  std::vector<std::unique_ptr<late_memory>> ranks_;
  std::set<std::pair<int, std::size_t>> taken_;
};

inline late_memory& late_memory::network_at(int rank) { return network_.at(rank); }

inline void late_memory::put(int rank, std::size_t offset, buffer& full, std::size_t word, std::uint64_t nth) {
  network_.take_place(rank, offset);
  if (signs_) sign(full, nth);
  under_way_.push_back({.rank = rank,
                        .offset = offset,
                        .source = reinterpret_cast<const std::byte*>(&full),
                        .begin = signs_ ? put_begin : 0,
                        .end = sizeof full + full.header.bytes,
                        .tells = !signs_,
                        .word = word,
                        .value = nth});
}

inline std::size_t late_memory::n_taken_over(std::size_t n) {
  for (operation& each : under_way_) {
    if (each.source == nullptr || each.is_word) continue;
    each.copy.assign(each.source, each.source + each.end);
    each.source = nullptr;
  }
  return n;
}

inline void late_memory::put_word(int rank, std::size_t word, const std::uint64_t& value) {
  for (const operation& each : under_way_) {
    EXPECT_FALSE(each.is_word && each.rank == rank && each.offset == word) << "two values for one word are under way";
  }
  under_way_.push_back({.rank = rank,
                        .offset = word,
                        .source = reinterpret_cast<const std::byte*>(&value),
                        .end = sizeof value,
                        .is_word = true});
}

inline void late_memory::step(random_engine& random) {
  if (under_way_.empty()) return;
  const std::size_t index = random.below(under_way_.size());
  operation& now = under_way_[index];
  if (const std::size_t n_left = now.end - now.begin; n_left > 0) {
    const std::size_t piece = random.chance(0.5) ? sizeof(buffer) : n_left;
    deliver(now, now.is_word || random.chance(0.5) ? n_left : 1 + random.below(std::min(piece, n_left)));
  }
  if (now.begin != now.end) return;
  if (!now.tells) {
    under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(index));
  } else if (may_tell(index)) {
    tell(index);
  }
}

inline void late_memory::tell(std::size_t index) {
  const operation now = under_way_[index];
  store(now.rank, now.word, now.value);
  for (std::size_t i = index + 1; i-- > 0;) {
    const auto it = under_way_.begin() + static_cast<std::ptrdiff_t>(i);
    if (it->tells && it->rank == now.rank && it->word == now.word) under_way_.erase(it);
  }
}

inline void late_memory::deliver(operation& now, std::size_t bytes) {
  const std::byte* const from = now.source != nullptr ? now.source : now.copy.data();
  const std::size_t at = signs_ ? now.begin : now.end - bytes;
  std::memcpy(network_.at(now.rank).at(now.offset + at), from + at, bytes);
  (signs_ ? now.begin : now.end) += signs_ ? bytes : 0 - bytes;
}

// A value may skip older ones for its word, but everything put before them must have arrived.
inline bool late_memory::may_tell(std::size_t index) const {
  const operation& last = under_way_[index];
  return std::all_of(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const operation& each) {
                       return !each.tells || each.rank != last.rank || each.word != last.word || each.begin == each.end;
                     });
}

}  // namespace shoal::internal::one_sided
