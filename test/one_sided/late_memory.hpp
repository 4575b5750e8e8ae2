/// Memory of several ranks in one process, as the most awkward one-sided library could offer it: what is put arrives
/// late, in any order that remote_memory allows, and from sources that are read as late as may be.
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
#include "shoal/substrate/one_sided/landing.hpp"

namespace shoal::one_sided {

class late_network;

class late_memory final : public remote_memory {
public:
  late_memory(late_network& network, std::size_t bytes) : network_(network), words_(bytes / 8 + 1) {}

  void put(int rank, std::size_t offset, const void* source, std::size_t bytes, std::size_t word,
           std::uint64_t value) override;
  void complete() override;
  void put_word(int rank, std::size_t word, std::uint64_t value) override;
  std::uint64_t word(std::size_t offset) const override { return words_[offset / 8]; }
  std::byte* at(std::size_t offset) const override {
    return reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(words_.data())) + offset;
  }

  // One step of one put, if one is legal at the place that `random` chose.
  void step(random_engine& random);
  bool is_quiet() const { return under_way_.empty(); }

private:
  struct operation {
    int rank = 0;
    std::size_t offset = 0;
    const std::byte* source = nullptr;  // until complete
    std::vector<std::byte> copy{};      // since complete
    std::size_t n_left = 0;             // bytes that have not arrived
    std::size_t word = 0;
    std::uint64_t value = 0;
  };

  // The last bytes first, so that no header is proof of its payload.
  void deliver(operation& now, std::size_t bytes);
  bool may_tell(std::size_t index) const;

  late_network& network_;
  std::vector<std::uint64_t> words_;
  std::deque<operation> under_way_;
};

class late_network {
public:
  late_network(std::size_t n_ranks, std::size_t bytes) {
    for (std::size_t rank = 0; rank < n_ranks; ++rank) ranks_.push_back(std::make_unique<late_memory>(*this, bytes));
  }

  late_memory& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  void step(random_engine& random) { ranks_[random.below(ranks_.size())]->step(random); }
  bool is_quiet() const {
    return std::ranges::all_of(ranks_, [](const auto& each) { return each->is_quiet(); });
  }

  // Places that hold a buffer: taken when the put starts, given back by the receiver.
  void take_place(int rank, std::size_t offset) {
    EXPECT_TRUE(taken_.insert({rank, offset}).second) << "a place is written while it is in use";
  }
  void give_place(int rank, std::size_t offset) { EXPECT_EQ(taken_.erase({rank, offset}), 1u); }

private:
  std::vector<std::unique_ptr<late_memory>> ranks_;
  std::set<std::pair<int, std::size_t>> taken_;
};

inline void late_memory::put(int rank, std::size_t offset, const void* source, std::size_t bytes,
                             std::size_t word, std::uint64_t value) {
  network_.take_place(rank, offset);
  under_way_.push_back({.rank = rank,
                        .offset = offset,
                        .source = static_cast<const std::byte*>(source),
                        .n_left = bytes,
                        .word = word,
                        .value = value});
}

inline void late_memory::complete() {
  for (operation& each : under_way_) {
    if (each.source == nullptr) continue;
    each.copy.assign(each.source, each.source + each.n_left);
    each.source = nullptr;
  }
}

inline void late_memory::put_word(int rank, std::size_t word, std::uint64_t value) {
  under_way_.push_back({.rank = rank, .word = word, .value = value});
}

inline void late_memory::step(random_engine& random) {
  if (under_way_.empty()) return;
  const std::size_t index = random.below(under_way_.size());
  operation& now = under_way_[index];
  if (now.n_left > 0) {
    deliver(now, random.chance(0.5) ? now.n_left : 1 + random.below(now.n_left));
  } else if (may_tell(index)) {
    network_.at(now.rank).words_[now.word / 8] = now.value;
    const auto [rank, word] = std::pair{now.rank, now.word};
    for (std::size_t i = index + 1; i-- > 0;) {
      const auto it = under_way_.begin() + static_cast<std::ptrdiff_t>(i);
      if (it->rank == rank && it->word == word) under_way_.erase(it);
    }
  }
}

inline void late_memory::deliver(operation& now, std::size_t bytes) {
  now.n_left -= bytes;
  const std::byte* const from = now.source != nullptr ? now.source : now.copy.data();
  std::memcpy(network_.at(now.rank).at(now.offset + now.n_left), from + now.n_left, bytes);
}

// A value may skip older ones for its word, but all that was put before them must be there.
inline bool late_memory::may_tell(std::size_t index) const {
  const operation& last = under_way_[index];
  return std::all_of(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const operation& each) {
                       return each.rank != last.rank || each.word != last.word || each.n_left == 0;
                     });
}

}  // namespace shoal::one_sided
