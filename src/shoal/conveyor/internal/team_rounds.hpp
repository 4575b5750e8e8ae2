/// Rounds of a team: waves of the control plane.
///
/// A round takes one wave of a single control message per edge if the contributions are short, and a second, longer one
/// otherwise. Contributions of single PEs take further waves, each of which carries as many of them as fit: every PE
/// fills in its own. Folds follow the tree by rank, so they group the PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/substrate/internal/group_rounds.hpp"

namespace shoal::internal {

class control_plane;

class team_rounds final : public group_rounds {
public:
  /// Collective: all members make it, and destroy it after the same round. `plane` outlives it. Does not wait.
  team_rounds(control_plane& plane, const std::shared_ptr<const group>& members);
  ~team_rounds();

  /// Whether a round has begun and is not complete.
  bool is_under_way() const noexcept { return now_ != step::complete; }
  /// The waves, to be kept until the job ends: an exception leaves them in the middle of a round.
  std::vector<std::unique_ptr<wave>> give_up() noexcept;

  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept override;
  bool is_round_complete() noexcept override;
  const std::byte* round_result() noexcept override { return result_; }
  const std::byte* round_contribution(pe_id pe) noexcept override;
  bool must_fetch(pe_id whose, std::size_t bytes) noexcept override;

private:
  enum class step : std::uint8_t { complete, short_fold, long_fold, fetch };

  void fold(std::byte* into, const std::byte* from) const;
  void contribute_slice() noexcept;
  bool advance() noexcept;

  control_plane& plane_;
  const pe_id n_pes_;
  const pe_id my_pe_;
  step now_ = step::complete;
  combine_function combine_ = nullptr;  // of this round
  std::size_t bytes_ = 0;  // of the contributions: of this PE's, and then the most
  alignas(8) std::byte mine_[round_bytes_max] = {};
  alignas(8) std::byte result_[round_bytes_max] = {};
  pe_id first_fetched_ = 0;  // the contributions in `fetched_`
  pe_id n_fetched_ = 0;
  std::size_t fetched_bytes_ = 0;  // of each
  std::size_t at_ = 0;  // where the next slice of them begins
  std::vector<std::byte> fetched_;
  std::unique_ptr<wave> short_;
  std::unique_ptr<wave> long_;
};

}  // namespace shoal::internal
