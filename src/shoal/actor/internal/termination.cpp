#include "shoal/actor/internal/termination.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

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

// What waves carry if hops follow the traffic. Otherwise the counts suffice, and a wave fits into a cache line.
struct wave_totals {
  message_counts counts;
  superstep_traffic traffic;
  std::size_t n_streams_most = 0;  // of a PE
  links_of_pes links;

  friend wave_totals operator+(const wave_totals& a, const wave_totals& b) {
    return {a.counts + b.counts, a.traffic + b.traffic, std::max(a.n_streams_most, b.n_streams_most),
            a.links + b.links};
  }
};

}  // namespace

void termination::arrive(const wave_share& mine, collective_call call, std::uint64_t digest,
                         const std::source_location& where) {
  const wave_totals all{mine.counts, mine.traffic, hops_.learns() ? exchange_.n_streams() : 0,
                        hops_.learns() ? links_of_one(exchange_.backend().links()) : links_of_pes{}};
  if (hops_.learns()) {
    collectives_.arrive(call, digest, std::as_bytes(std::span(&all, 1)), combine_values<wave_totals, addition>, where);
  } else {
    collectives_.arrive(call, digest, std::as_bytes(std::span(&all.counts, 1)),
                        combine_values<message_counts, addition>, where);
  }
}

// If what was handled up to wave w equals what was sent up to wave w+1, nothing was in transit in between, and nothing
// can be sent any more. A first wave that counts nothing sent is enough by itself: after its contribution a PE acts
// only on a message, and there was none.
void termination::await(awaited_messages& messages, collective_call call, std::uint64_t digest,
                        const std::source_location& where) {
  std::optional<message_counts> last;  // totals of the previous wave
  bool has_arrived = false;
  for (unsigned patience = 0, n_busy = 0;;) {
    const bool has_arrived_here = exchange_.progress();
    const bool has_moved = exchange_.parts().spare.run() || has_arrived_here || exchange_.flush();
    if (has_moved) {
      patience = 0;
      // Mailboxes of outer supersteps may keep this PE busy for ever. The awaited ones must still get their partly
      // filled buffers posted and their waves served.
      if (++n_busy % busy_turns != 0) continue;
      messages.flush();
    }
    if (!has_arrived && messages.are_gone()) {
      arrive(messages.share(), call, digest, where);
      has_arrived = true;
    }
    if (const std::byte* result = has_arrived ? collectives_.try_result() : nullptr; result != nullptr) {
      wave_totals all;
      std::memcpy(&all, result, hops_.learns() ? sizeof all : sizeof all.counts);
      if (all.counts.n_sent == 0 || (last.has_value() && all.counts.n_sent == last->n_handled)) {
        if (hops_.learns()) {
          if (const links_of_pes& now = all.links; now.n != 0) {
            const auto n = static_cast<double>(now.n);
            hops_.note_links(static_cast<std::uint64_t>(now.overhead_ns / n), now.gap_per_byte_ns / n);
          }
          hops_.decide(all.traffic, all.n_streams_most);
        }
        return;
      }
      // Counts only grow, and a message is sent before it is handled.
      SHOAL_ASSERT(!last || (all.counts.n_sent >= last->n_sent && all.counts.n_handled >= last->n_handled));
      SHOAL_ASSERT(!last || all.counts.n_sent >= last->n_handled);
      last = all.counts;
      has_arrived = false;
      patience = 0;
      continue;
    }
    if (!has_moved) exchange_.idle(patience);
  }
}

}  // namespace shoal::internal
