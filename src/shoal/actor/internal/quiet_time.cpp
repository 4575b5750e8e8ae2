#include "shoal/actor/internal/quiet_time.hpp"

#include <algorithm>

#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {
namespace {

// A wait that did not help is tried again after 1, 4, 16, 64, 64, ... supersteps in which it might have helped.
constexpr int n_passed_over_most = 64;
constexpr int passed_over_growth = 4;
// After so many waits in a row in which nothing came, PEs do not wait.
constexpr int n_without_help_most = 3;
// How much longer than its usual time a message may take, and the pause after which no other follows, in parts of that time.
constexpr std::uint64_t part_of_jitter = 4;
constexpr std::uint64_t part_of_pause = 8;

}  // namespace

// Messages of PEs that end at the same time come when one of this PE's reaches them, but for jitter. They come one after the other,
// so a short pause ends them.
void quiet_time::begin(const link_costs& links, int n_hops, std::uint64_t n_bytes, std::uint64_t now_ns) noexcept {
  is_on_ = is_wanted_;
  if (!is_on_) return;
  const std::uint64_t way = way_ns(links.network_now());
  after_sent_ns_ = way + way / part_of_jitter + static_cast<std::uint64_t>(n_hops - 1) * way_ns(links.node);
  after_arrival_ns_ = way / part_of_pause;
  ns_per_byte_ = links.byte_ns();
  sent_ns_ = noted_ns_ = ended_ns_;  // it may have sent since then
  until_ns_ = idle_since_ns_ = 0;
  has_come_ = false;
  note_sent(n_bytes, now_ns);
}

void quiet_time::note_arrival(std::uint64_t now_ns) noexcept {
  has_come_ |= idle_since_ns_ != 0;
  until_ns_ = std::max(until_ns_, now_ns + after_arrival_ns_);
}

void quiet_time::note_sent(std::uint64_t n_bytes, std::uint64_t now_ns) noexcept {
  const double takes_ns = static_cast<double>(n_bytes - n_bytes_) * ns_per_byte_;
  n_bytes_ = n_bytes;
  // It sent them since the last call.
  sent_ns_ = std::max(sent_ns_, noted_ns_) + static_cast<std::uint64_t>(takes_ns);
  noted_ns_ = now_ns;
  until_ns_ = std::max(until_ns_, std::max(sent_ns_, now_ns) + after_sent_ns_);
}

bool quiet_time::is_over(std::uint64_t now_ns) noexcept {
  if (idle_since_ns_ == 0) idle_since_ns_ = now_ns;
  return now_ns >= until_ns_ || now_ns - idle_since_ns_ >= in_vain_ns_;
}

quiet_votes quiet_time::join_wave(bool is_first, std::uint64_t now_ns) noexcept {
  joined_ns_ = now_ns;
  is_on_ = false;
  if (!is_first || !is_wanted_) return {};
  const bool is_short = idle_since_ns_ == 0 || now_ns - idle_since_ns_ < in_vain_ns_;
  return {is_short, has_come_};
}

// PEs join a later wave as soon as the last one has ended. So it takes no longer than waves do, unless some PE still works.
void quiet_time::end_wave(bool is_first, std::uint64_t now_ns) noexcept {
  ended_ns_ = now_ns;
  if (is_first) return;
  const std::uint64_t ns = now_ns - joined_ns_;
  wave_ns_ = ns < wave_ns_ ? ns : wave_ns_ + wave_ns_ / 16;
}

void quiet_time::learn(int n_waves, const quiet_votes& votes, std::uint32_t n_pes, std::uint64_t n_bytes) noexcept {
  n_bytes_ = n_bytes;
  const bool is_first_in_vain = n_waves > 1;
  if (!is_wanted_) {
    if (!is_first_in_vain || !may_pay_) return;
    in_vain_ns_ = static_cast<std::uint64_t>(n_waves - 1) * wave_ns_;
    is_wanted_ = n_to_pass_over_ == 0;
    n_to_pass_over_ -= !is_wanted_;
    n_without_help_ = 0;
  } else if (is_first_in_vain || votes.n_short != n_pes) {
    // Supersteps that the wait does not help pay for it less and less often.
    is_wanted_ = false;
    n_to_pass_over_ = n_passed_over_next_;
    n_passed_over_next_ = std::min(passed_over_growth * n_passed_over_next_, n_passed_over_most);
  } else {
    n_passed_over_next_ = 1;
    n_without_help_ = votes.n_helped == 0 ? n_without_help_ + 1 : 0;
    is_wanted_ = n_without_help_ < n_without_help_most;  // otherwise the next wave in vain brings it back
  }
}

}  // namespace shoal::internal
