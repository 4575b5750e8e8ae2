#include "shoal/conveyor/internal/team_rounds.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "shoal/base/internal/contract.hpp"
#include "shoal/control/internal/message.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/substrate/internal/mismatch.hpp"
#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {
namespace {

// A short wave carries a contribution, filled up with zeros, and its size.
constexpr std::size_t short_bytes = piece_bytes_max;
using contribution_size = std::uint32_t;
constexpr std::size_t room_in_short = (short_bytes - sizeof(contribution_size)) & ~std::size_t{7};
static_assert(sizeof(round_head) + 64 <= room_in_short, "the counts of finish are short");

contribution_size size_in(const std::byte* carried) noexcept {
  contribution_size bytes = 0;
  std::memcpy(&bytes, carried + room_in_short, sizeof bytes);
  return bytes;
}

void set_size_in(std::byte* carried, contribution_size bytes) noexcept {
  std::memcpy(carried + room_in_short, &bytes, sizeof bytes);
}

// Each byte was filled in by one PE, and is zero elsewhere.
void merge(std::byte* into, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i) into[i] |= from[i];
}

}  // namespace

team_rounds::team_rounds(control_plane& plane, const std::shared_ptr<const group>& members)
    : plane_(plane), n_pes_(members->size()), my_pe_(members->my_rank()) {
  const auto fold_short = [this](std::byte* into, const std::byte* from, std::size_t) {
    // Longer ones, of which only the heads are here, are folded by the long wave.
    bytes_ > room_in_short ? static_cast<void>(combine_heads(into, from)) : fold(into, from);
    set_size_in(into, std::max(size_in(into), size_in(from)));
  };
  const auto fold_long = [this](std::byte* into, const std::byte* from, std::size_t bytes) {
    now_ == step::fetch ? merge(into, from, bytes) : fold(into, from);
  };
  short_ = std::make_unique<wave>(plane, members, wave_name{wave_kind::team, 0},
                                  wave_options{.bytes = short_bytes, .combine = fold_short, .is_ordered = true});
  long_ = std::make_unique<wave>(plane, members, wave_name{wave_kind::team, 1},
                                 wave_options{.bytes = round_bytes_max, .combine = fold_long, .is_ordered = true});
}

team_rounds::~team_rounds() = default;

std::vector<std::unique_ptr<wave>> team_rounds::give_up() noexcept {
  std::vector<std::unique_ptr<wave>> waves;
  waves.push_back(std::move(short_));
  waves.push_back(std::move(long_));
  return waves;
}

void team_rounds::fold(std::byte* into, const std::byte* from) const {
  if (combine_ != nullptr) combine_(into, from, bytes_);
}

void team_rounds::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  SHOAL_ASSERT(now_ == step::complete && contribution.size() <= round_bytes_max);
  combine_ = combine;
  bytes_ = contribution.size();
  std::copy(contribution.begin(), contribution.end(), mine_);
  std::fill(mine_ + bytes_, mine_ + round_bytes_max, std::byte{0});
  n_fetched_ = 0;

  alignas(8) std::byte carried[short_bytes] = {};
  std::memcpy(carried, mine_, std::min(bytes_, room_in_short));
  set_size_in(carried, static_cast<contribution_size>(bytes_));
  now_ = step::short_fold;
  short_->contribute(carried);
}

bool team_rounds::must_fetch(pe_id whose, std::size_t bytes) noexcept {
  SHOAL_ASSERT(now_ == step::complete);
  fetched_bytes_ = (std::min(bytes, bytes_) + 7) & ~std::size_t{7};  // callers read heads in place
  first_fetched_ = whose == everybody ? 0 : whose;
  n_fetched_ = whose == everybody ? n_pes_ : 1;
  // What is read of a contribution may be less than a caller's span of it.
  fetched_.assign(static_cast<std::size_t>(n_fetched_) * fetched_bytes_ + round_bytes_max, std::byte{0});
  at_ = 0;
  now_ = step::fetch;
  contribute_slice();
  return true;
}

const std::byte* team_rounds::round_contribution(pe_id pe) noexcept {
  SHOAL_ASSERT(pe >= first_fetched_ && pe < first_fetched_ + n_fetched_);
  return fetched_.data() + static_cast<std::size_t>(pe - first_fetched_) * fetched_bytes_;
}

// The part of this PE's contribution that lies in the slice from `at_` on.
void team_rounds::contribute_slice() noexcept {
  std::byte slice[round_bytes_max] = {};
  const pe_id place = my_pe_ - first_fetched_;
  if (place >= 0 && place < n_fetched_) {
    const std::size_t begin = static_cast<std::size_t>(place) * fetched_bytes_;
    const std::size_t from = std::max(begin, at_);
    const std::size_t to = std::min(begin + fetched_bytes_, at_ + round_bytes_max);
    if (from < to) std::memcpy(slice + (from - at_), mine_ + (from - begin), to - from);
  }
  long_->contribute(slice);
}

// Takes the result of a wave, if it is there. Returns whether it was.
bool team_rounds::advance() noexcept {
  wave& its = now_ == step::short_fold ? *short_ : *long_;
  if (!its.is_complete()) return false;
  const std::byte* const all = its.take().data();
  switch (now_) {
    case step::short_fold:
      bytes_ = size_in(all);  // the same on all PEs, unless they make different calls
      std::memcpy(result_, all, room_in_short);
      now_ = step::complete;
      if (bytes_ > room_in_short && !are_calls_different(*this)) {
        now_ = step::long_fold;
        long_->contribute(mine_);
      }
      break;
    case step::long_fold:
      std::memcpy(result_, all, round_bytes_max);
      now_ = step::complete;
      break;
    case step::fetch: {
      const std::size_t n = static_cast<std::size_t>(n_fetched_) * fetched_bytes_;
      std::memcpy(fetched_.data() + at_, all, std::min(n - at_, round_bytes_max));
      at_ += round_bytes_max;
      at_ < n ? contribute_slice() : void(now_ = step::complete);
      break;
    }
    case step::complete: break;
  }
  return true;
}

// A PE that leaves a round may not call Shoal for long. So it first passes on what others wait for.
bool team_rounds::is_round_complete() noexcept {
  do plane_.progress();
  while (now_ != step::complete && advance());
  return now_ == step::complete && !short_->owes() && !long_->owes();
}

}  // namespace shoal::internal
