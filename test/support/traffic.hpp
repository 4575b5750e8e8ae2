/// Who sends what to whom, from a seed alone: a sender draws its targets in order, and any PE can draw
/// them again to know what must reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"

namespace shoal::test {

/// The targets of `n` messages of PE `sender`, in order of sending.
inline std::vector<pe_id> targets_of(std::uint64_t seed, pe_id sender, pe_id n_pes, std::size_t n) {
  random_engine random(seed, static_cast<std::uint64_t>(sender));
  std::vector<pe_id> targets(n);
  for (pe_id& target : targets) {
    target = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes)));
  }
  return targets;
}

/// How many of those messages of each PE go to `receiver`.
inline std::vector<std::uint64_t> expected_at(std::uint64_t seed, pe_id receiver, pe_id n_pes, std::size_t n_per_pe) {
  std::vector<std::uint64_t> expected(static_cast<std::size_t>(n_pes));
  for (pe_id sender = 0; sender < n_pes; ++sender) {
    for (const pe_id target : targets_of(seed, sender, n_pes, n_per_pe)) {
      if (target == receiver) ++expected[static_cast<std::size_t>(sender)];
    }
  }
  return expected;
}

/// Counts one stream for each PE: the next number to send, or the next one expected.
class numbering {
public:
  explicit numbering(pe_id n_pes) : next_(static_cast<std::size_t>(n_pes)) {}
  std::uint64_t take(pe_id pe) { return next_[static_cast<std::size_t>(pe)]++; }
  std::uint64_t next(pe_id pe) const { return next_[static_cast<std::size_t>(pe)]; }
  const std::vector<std::uint64_t>& all() const { return next_; }

private:
  std::vector<std::uint64_t> next_;
};

}  // namespace shoal::test
