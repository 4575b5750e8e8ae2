#include "shoal/substrate/internal/link_meter.hpp"

#include <algorithm>
#include <utility>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {
namespace {

// Of so many values, the least is that of two PEs that had nothing else to do.
constexpr unsigned n_sendings = 8;
constexpr unsigned n_alone = 4;
constexpr unsigned n_large = 8;
constexpr unsigned n_busy = 3;

// A buffer has waited for others on its link if it took so many times as long as one that is alone, and bytes for so many full
// buffers were under way.
constexpr std::uint64_t busy_times = 4;
constexpr std::uint64_t busy_buffers = 2;

// Below it, the time of a slot's bytes is lost in that of the calls.
constexpr std::size_t payload_bytes_least = 2048;

// Sending probes takes at most this part of a PE's time.
constexpr std::uint64_t probes_share = 128;

// The receiver counts in 32 bits.
constexpr std::uint64_t ns_most = 2'000'000'000;

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
  if (size_of(marked) == size::small) sending_.note(end_ns - begin_ns);
}

void link_meter::note_probe(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  away_[index_of(size::small)] = {end_ns, bytes_under_way_, true};
  sending_.note(end_ns - begin_ns);
  next_probe_ns_ = end_ns + probes_share * (end_ns - begin_ns);
}

void link_meter::note_time(size which, std::uint64_t took_ns, std::uint64_t bytes_under_way) noexcept {
  if (which == size::large) {
    const auto bytes = static_cast<double>(bytes_under_way);
    byte_ns_most_.note(static_cast<double>(took_ns) / bytes);
    const bool has_waited = took_ns >= busy_times * alone_ns_ && bytes_under_way >= busy_buffers * payload_bytes_;
    if (alone_ns_ != 0 && has_waited) byte_ns_busy_.note(static_cast<double>(took_ns - alone_ns_) / bytes);
  } else if (is_small(bytes_under_way)) {
    alone_.note(took_ns);
    if (alone_.n < n_alone && alone_ns_ != 0) return;
    alone_ns_ = alone_.value;
    if (alone_.n == n_alone) alone_ = {};
  }
}

void link_meter::note_return(size which, std::uint32_t held_ns, std::uint64_t now_ns, substrate& whose) noexcept {
  const timed_buffer its = std::exchange(away_[index_of(which)], {});
  const std::uint64_t took_ns = now_ns - its.sent_ns;
  const bool is_known = its.is_away && held_ns != holding_times::unknown && took_ns <= ns_most && took_ns > held_ns;
  if (is_known) note_time(which, took_ns - held_ns, its.bytes_under_way);
  tell(whose);
}

void link_meter::tell(substrate& whose) noexcept {
  measured_links found;
  if (sending_.n >= n_sendings) {
    found.overhead_ns = std::max<std::uint64_t>(1, sending_.value);
    sending_ = {};
  }
  if (byte_ns_most_.n >= n_large) {
    found.byte_ns_most = byte_ns_most_.value;
    if (byte_ns_busy_.n >= n_busy) found.byte_ns_least = byte_ns_busy_.value;
    byte_ns_most_ = {};
    byte_ns_busy_ = {};
  }
  if (found.overhead_ns == 0 && found.byte_ns_most == 0) return;
  link_costs costs = whose.links();
  costs.learn(found);
  whose.know_links(costs);
}

}  // namespace shoal::internal
