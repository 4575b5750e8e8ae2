/// Rounds: the only collective operation below the calls of programs.
///
/// A substrate has rounds of all PEs. A team has its own (conveyor/internal/team_rounds.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The largest contribution of a PE to a round. Longer data take several rounds.
inline constexpr std::size_t round_bytes_max = 1024;

/// Folds `from` into `into`; both are contributions to the same round, or folds of some. A substrate calls it in ascending
/// PE order, so that floating-point sums are reproducible for a given P.
using combine_function = void (*)(std::byte* into, const std::byte* from, std::size_t bytes);

/// Every PE arrives once per round, in any order. When all have arrived, every PE sees the fold of all contributions.
/// Buffers keep flowing meanwhile, so the caller polls for completion. A PE must not arrive at the next round before it
/// has seen this one complete. PEs are counted as in the group whose rounds these are.
class group_rounds {
public:
  /// Starts this PE's part of the next round. All PEs pass the same number of bytes (<= round_bytes_max) and equivalent
  /// `combine`, which may be null if no PE needs the fold. Local, nonblocking.
  virtual void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept = 0;

  /// True once every PE has arrived at the round. Local, nonblocking.
  virtual bool is_round_complete() noexcept = 0;

  /// The fold, and the contribution of one PE, in the round that just completed; valid until this PE's next arrive.
  virtual const std::byte* round_result() noexcept = 0;
  virtual const std::byte* round_contribution(pe_id pe) noexcept = 0;

  /// Before round_contribution, on all PEs: they will read the first `bytes` bytes of the contribution of PE `whose`, or
  /// of `everybody`. True: they have to wait for it, until the round is complete once more. Local, nonblocking.
  static constexpr pe_id everybody = -1;
  virtual bool must_fetch(pe_id whose, std::size_t bytes) noexcept {
    static_cast<void>(whose);
    static_cast<void>(bytes);
    return false;
  }

protected:
  ~group_rounds() = default;
};

}  // namespace shoal::internal
