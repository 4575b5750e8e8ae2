/// Counts and sums of the items between each pair of PEs, expected and received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal::cli {

struct pair_sum {
  std::uint64_t n_items = 0;
  std::uint64_t sum = 0;  // of their words
  bool operator==(const pair_sum&) const = default;
};

/// What was pushed from PE to PE, and what arrived. Members are collective unless they say otherwise.
class pair_sums {
public:
  explicit pair_sums(world& w);

  void clear();

  /// Local: this PE's pushes by target, and what it pulled by sender.
  pair_sum& pushed(pe_id target) noexcept { return pushed_[static_cast<std::size_t>(target)]; }
  pair_sum& pulled(pe_id sender) noexcept { return got_[static_cast<std::size_t>(sender)]; }

  /// After a run: tells each PE what it should have received. Returns the first wrong pair of this PE; empty if all are
  /// right.
  std::string compare();

  /// On PE 0, after compare: a line for each pair, at most n_listed_max of them, but always the wrong ones.
  std::string describe();

private:
  static constexpr std::size_t n_listed_max = 64;

  world& world_;
  std::vector<pair_sum> pushed_;
  std::vector<pair_sum> expected_;  // by sender
  std::vector<pair_sum> got_;
};

}  // namespace shoal::cli
