/// Counts the calls of one PE that find nothing, to detect endless loops.
#pragma once

#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/sim/history.hpp"

namespace shoal::internal::sim {

class stall_proof;

/// The count restarts whenever the world has changed.
class fruitless_calls {
public:
  /// After this many calls in a row, the simulation checks whether anything can still move.
  static constexpr std::uint64_t n_per_look = 250'000;

  /// `past` and `stalls` outlive this object.
  fruitless_calls(const history& past, stall_proof& stalls, pe_id my_pe) noexcept
      : past_(past), stalls_(stalls), my_pe_(my_pe) {}

  /// Counts a call that found nothing. Does not return if nothing can ever move.
  void add() noexcept {
    if (n_changes_seen_ != past_.n_changes()) {
      n_changes_seen_ = past_.n_changes();
      n_ = 0;
    }
    if (++n_ >= n_per_look) look();
  }

  /// The PE computes, or has read the clock and may act on it.
  void reset() noexcept { n_ = 0; }

  /// Whether this PE's calls keep finding nothing in the current state of the world.
  bool are_repeated() const noexcept { return n_changes_seen_ == past_.n_changes() && n_ >= 100; }

private:
  void look() noexcept;

  const history& past_;
  stall_proof& stalls_;
  pe_id my_pe_;
  std::uint64_t n_ = 0;  // since the world changed for the n_changes_seen_-th time
  std::uint64_t n_changes_seen_ = 0;
};

}  // namespace shoal::internal::sim
