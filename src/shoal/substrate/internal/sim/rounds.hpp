/// The rounds of a simulated job: contributions of all PEs and their fold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::sim {

/// Rounds are numbered from 0. A PE may still read round k while others have arrived at k + 1. No PE arrives at k + 2
/// before every PE has arrived at k + 1, so two alternating sets of memory suffice.
class rounds {
public:
  /// `memory` is laid out as world_memory::rounds says.
  rounds(std::size_t n_pes, std::byte* memory) noexcept : n_pes_(n_pes), memory_(memory) {}

  /// Whether the PEs that have arrived at the current round passed `bytes` bytes.
  bool agrees(std::size_t bytes) const noexcept { return n_arrived_ == 0 || bytes == bytes_; }
  std::size_t bytes() const noexcept { return bytes_; }

  /// Adds a contribution to round `number`, which must be the current one, at time `now_ns`. True if it was the last:
  /// then the fold is ready, and the next round is current.
  bool arrive(std::uint64_t number, pe_id pe, std::span<const std::byte> contribution, combine_function combine,
              std::uint64_t now_ns) noexcept;

  /// When the last PE arrived at the round that just ended, by that PE's clock.
  std::uint64_t ended_ns() const noexcept { return latest_ns_; }

  const std::byte* result(std::uint64_t number) const noexcept {
    return contribution(number, static_cast<pe_id>(n_pes_));
  }
  const std::byte* contribution(std::uint64_t number, pe_id pe) const noexcept {
    return place(number, static_cast<std::size_t>(pe));
  }

private:
  // Index n_pes is the result's.
  std::byte* place(std::uint64_t number, std::size_t index) const noexcept {
    return memory_ + ((number & 1) * (n_pes_ + 1) + index) * round_bytes_max;
  }

  std::size_t n_pes_;
  std::byte* memory_;
  std::size_t n_arrived_ = 0;
  std::size_t bytes_ = 0;
  combine_function combine_ = nullptr;
  std::uint64_t latest_ns_ = 0;
};

}  // namespace shoal::internal::sim
