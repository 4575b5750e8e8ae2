#include "shoal/actor/internal/termination.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {
namespace {

// What links between nodes cost now, by the PEs that have measured them: sums.
struct links_of_pes {
  double overhead_ns = 0;
  double gap_per_byte_ns = 0;
  std::uint64_t n = 0;

  friend links_of_pes operator+(const links_of_pes& a, const links_of_pes& b) noexcept {
    return {a.overhead_ns + b.overhead_ns, a.gap_per_byte_ns + b.gap_per_byte_ns, a.n + b.n};
  }
};

links_of_pes links_of_one(const link_costs& its) noexcept {
  if (!its.has_measured()) return {};
  const link_figures now = its.network_now();
  return {static_cast<double>(now.overhead_ns), now.gap_per_byte_ns, 1};
}

// What waves carry if hops follow the traffic, or PEs may wait before they join the first one. Otherwise the counts suffice,
// and a wave fits into a cache line.
struct wave_totals {
  message_counts counts;
  superstep_traffic traffic;
  std::size_t n_streams_most = 0;  // of a PE
  links_of_pes links;
  quiet_votes votes;

  friend wave_totals operator+(const wave_totals& a, const wave_totals& b) {
    return {a.counts + b.counts, a.traffic + b.traffic, std::max(a.n_streams_most, b.n_streams_most), a.links + b.links,
            a.votes + b.votes};
  }
};

}  // namespace

termination::termination(exchange& through, collectives& waves, adaptive_hops& hops) noexcept
    : exchange_(through), collectives_(waves), hops_(hops), quiet_(through.nodes().n_nodes()) {}

bool termination::carries_all() const noexcept { return hops_.learns() || quiet_.may_pay(); }

std::uint64_t termination::now_ns() const noexcept { return exchange_.backend().now_ns(); }

void termination::arrive(const wave_share& mine, bool is_first, collective_call call, std::uint64_t digest,
                         const std::source_location& where) {
  const wave_totals all{mine.counts, mine.traffic, hops_.learns() ? exchange_.n_streams() : 0,
                        hops_.learns() ? links_of_one(exchange_.backend().links()) : links_of_pes{},
                        quiet_.may_pay() ? quiet_.join_wave(is_first, now_ns()) : quiet_votes{}};
  if (carries_all()) {
    collectives_.arrive(call, digest, std::as_bytes(std::span(&all, 1)), combine_values<wave_totals, addition>, where);
  } else {
    collectives_.arrive(call, digest, std::as_bytes(std::span(&all.counts, 1)),
                        combine_values<message_counts, addition>, where);
  }
}

// A wave counts what was sent before its sender joined, and of that what was handled before its receiver joined. If the two
// are equal, nobody has anything left to act on, so nothing can be sent any more.
void termination::await(awaited_messages& messages, collective_call call, std::uint64_t digest,
                        const std::source_location& where) {
  message_counts last;  // totals of the previous wave
  quiet_votes votes;
  int n_waves = 0;
  bool has_arrived = false;
  const substrate_counts& sent = exchange_.backend().counts();
  // Where it cannot pay, an empty superstep is too short for calls and clocks.
  const bool may_wait = quiet_.may_pay();
  if (may_wait) quiet_.begin(exchange_.backend().links(), hops_.n_hops(), sent.n_bytes_away, now_ns());
  for (unsigned patience = 0, n_busy = 0;;) {
    const bool has_arrived_here = exchange_.progress();
    const bool has_worked = exchange_.parts().spare.run() || has_arrived_here;
    const bool has_moved = has_worked || exchange_.flush();
    if (has_moved) {
      patience = 0;
      if (quiet_.is_on() && has_worked) quiet_.note_arrival(now_ns());
      if (quiet_.is_on() && !has_worked) quiet_.note_sent(sent.n_bytes_away, now_ns());
      // Mailboxes of outer supersteps may keep this PE busy for ever. The awaited ones must still get their partly
      // filled buffers posted and their waves served.
      if (++n_busy % busy_turns != 0) continue;
      messages.flush();
    }
    const bool may_arrive = !has_arrived && messages.are_gone();
    if (may_arrive && (has_moved || !quiet_.is_on() || quiet_.is_over(now_ns()))) {
      arrive(messages.join_wave(), ++n_waves == 1, call, digest, where);
      has_arrived = true;
    }
    if (const std::byte* result = has_arrived ? collectives_.try_result() : nullptr; result != nullptr) {
      wave_totals all;
      std::memcpy(&all, result, carries_all() ? sizeof all : sizeof all.counts);
      if (may_wait) quiet_.end_wave(n_waves == 1, now_ns());
      votes = votes + all.votes;
      SHOAL_ASSERT(all.counts.n_handled <= all.counts.n_sent);
      SHOAL_ASSERT(all.counts.n_handled >= last.n_handled && all.counts.n_sent >= last.n_sent);
      if (all.counts.n_handled == all.counts.n_sent) {
        if (may_wait) quiet_.learn(n_waves, votes, static_cast<std::uint32_t>(exchange_.n_pes()), sent.n_bytes_away);
        if (hops_.learns()) {
          if (const links_of_pes& now = all.links; now.n != 0) {
            const auto n = static_cast<double>(now.n);
            hops_.note_links(static_cast<std::uint64_t>(now.overhead_ns / n), now.gap_per_byte_ns / n);
          }
          hops_.decide(all.traffic, all.n_streams_most);
        }
        return;
      }
      last = all.counts;
      has_arrived = false;
      patience = 0;
      continue;
    }
    // Nothing wakes a sleeper when it has waited for long enough.
    if (!has_moved) exchange_.parts().arriving.idle(patience, !(may_arrive && quiet_.is_on()));
  }
}

}  // namespace shoal::internal
