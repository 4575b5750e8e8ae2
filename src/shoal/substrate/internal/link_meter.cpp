#include "shoal/substrate/internal/link_meter.hpp"

#include <algorithm>
#include <utility>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {
namespace {

// Of so many values, the least is that of two PEs and a link that had nothing else to do.
constexpr unsigned n_sendings = 8;
constexpr unsigned n_alone = 4;
constexpr unsigned n_waiting = 3;
constexpr unsigned n_periods = 2;

// A buffer has waited for others on its link if it took so many times as long as one that is alone, and bytes for so many full
// buffers were under way.
constexpr std::uint64_t waiting_times = 4;
constexpr std::uint64_t waiting_buffers = 2;

// Its sender must have looked so many times as often as it took.
constexpr std::uint64_t looks_least = 8;

// A period lasts until so many full buffers were sent and have come back in it, and so many times what was under way before.
constexpr std::uint64_t buffers_of_period = 8;
constexpr std::uint64_t times_before = 4;

// Below it, the time of a slot's bytes is lost in that of the calls.
constexpr std::size_t payload_bytes_least = 2048;

// Sending probes takes at most this part of a PE's time.
constexpr std::uint64_t probes_share = 128;

}  // namespace

bool link_meter::is_small(std::uint64_t bytes) const noexcept {
  return bytes <= payload_bytes_ / 8 || payload_bytes_ < payload_bytes_least;
}

void link_meter::mark(buffer& full) const noexcept {
  unmark(full);
  if (!is_on_) return;
  if (is_small(full.header.bytes)) {
    if (!is_away(size::small)) full.header.flags |= buffer_header::timed;
  } else if (full.header.bytes >= payload_bytes_ / 2) {
    if (!is_away(size::large)) full.header.flags |= buffer_header::timed_large;
  }
}

void link_meter::note_sent(const buffer& marked, std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  away_[index_of(size_of(marked))] = {end_ns, bytes_under_way_, true};
  if (size_of(marked) == size::small) {
    sending_.note(end_ns - begin_ns);
  } else {
    last_look_ns_ = end_ns;
    longest_unseen_ns_ = 0;
    if (while_.begin_ns == 0) while_ = {end_ns, bytes_under_way_, 0};
  }
}

void link_meter::note_probe(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  away_[index_of(size::small)] = {end_ns, bytes_under_way_, true};
  sending_.note(end_ns - begin_ns);
  next_probe_ns_ = end_ns + probes_share * (end_ns - begin_ns);
}

void link_meter::note_look(std::uint64_t now_ns) noexcept {
  longest_unseen_ns_ = std::max(longest_unseen_ns_, now_ns - last_look_ns_);
  last_look_ns_ = now_ns;
}

void link_meter::note_return(size which, std::uint32_t held_ns, std::uint64_t now_ns, substrate& whose) noexcept {
  const timed_buffer its = std::exchange(away_[index_of(which)], {});
  if (!its.is_away) return;
  if (which == size::large) {
    if (held_ns != holding_times::unknown) note_large(its, held_ns);
    end_period(now_ns);
  } else if (is_small(its.bytes_under_way)) {
    note_alone(now_ns - its.sent_ns);
  }
  tell(whose);
}

void link_meter::note_alone(std::uint64_t took_ns) noexcept {
  alone_.note(took_ns);
  if (alone_.n < n_alone && alone_ns_ != 0) return;
  alone_ns_ = alone_.value;
  if (alone_.n == n_alone) alone_ = {};
}

void link_meter::note_large(const timed_buffer& its, std::uint32_t held_ns) noexcept {
  const std::uint64_t begin_ns = its.sent_ns + held_ns;
  if (alone_ns_ == 0 || last_look_ns_ <= begin_ns) return;
  const std::uint64_t took_ns = last_look_ns_ - begin_ns;
  const bool has_waited =
      took_ns >= waiting_times * alone_ns_ && its.bytes_under_way >= waiting_buffers * payload_bytes_;
  if (!has_waited || looks_least * longest_unseen_ns_ > took_ns) return;
  byte_ns_least_.note(static_cast<double>(took_ns - alone_ns_) / static_cast<double>(its.bytes_under_way));
}

// What was under way at its beginning may have been acknowledged in it, and counts as if it had.
void link_meter::end_period(std::uint64_t now_ns) noexcept {
  const std::uint64_t enough = std::max(times_before * while_.bytes_before, buffers_of_period * payload_bytes_);
  if (while_.bytes_back < while_.bytes_before + enough) return;
  byte_ns_most_.note(static_cast<double>(now_ns - while_.begin_ns) /
                     static_cast<double>(while_.bytes_back - while_.bytes_before));
  while_ = {now_ns, bytes_under_way_, 0};
}

void link_meter::tell(substrate& whose) noexcept {
  measured_links found;
  if (sending_.n >= n_sendings) {
    found.overhead_ns = std::max<std::uint64_t>(1, sending_.value);
    sending_ = {};
  }
  if (byte_ns_most_.n >= n_periods) {
    found.byte_ns_most = byte_ns_most_.value;
    byte_ns_most_ = {};
  }
  if (byte_ns_least_.n >= n_waiting) {
    found.byte_ns_least = byte_ns_least_.value;
    byte_ns_least_ = {};
  }
  if (found.overhead_ns == 0 && found.byte_ns_most == 0 && found.byte_ns_least == 0) return;
  link_costs costs = whose.links();
  costs.learn(found);
  whose.know_links(costs);
}

}  // namespace shoal::internal
