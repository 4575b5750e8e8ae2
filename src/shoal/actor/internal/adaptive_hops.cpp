#include "shoal/actor/internal/adaptive_hops.hpp"

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

adaptive_hops::adaptive_hops(const exchange& through, const settings& chosen)
    : exchange_(through),
      choice_(through.nodes(), {.least = static_cast<int>(chosen.n_hops.value),
                                .most = chosen.adapts_hops ? n_hops_max : static_cast<int>(chosen.n_hops.value),
                                .slot_bytes = through.payload_bytes(),
                                .costs = through.backend().links()}),
      reroute_(chosen.sim.value.reroute),
      reroutes_(chosen.sim.value.seed, 0x686f7073),
      learns_(choice_.is_open() || (chosen.adapts_hops && reroute_ > 0)) {}

int adaptive_hops::n_hops_least() const noexcept { return exchange_.n_hops(); }

// Each hop of a mailbox reserves a slot, and future mailboxes need theirs, too. So hops follow the choice only while
// streams take at most an eighth of the slots; mailboxes take the fewest hops if more than half might be reserved.
bool adaptive_hops::has_slots() const noexcept {
  if (!learns_ || reroute_ > 0) return true;
  SHOAL_ASSERT(exchange_.n_constructed() >= n_constructed_ + n_stream_hops_renewed_);
  const std::size_t n_new = exchange_.n_constructed() - n_constructed_ - n_stream_hops_renewed_;
  return (n_stream_hops_most_ + n_new) * 2 <= exchange_.backend().n_slots();
}

void adaptive_hops::decide(const superstep_traffic& last, std::size_t n_streams_most) {
  if (reroute_ > 0) {
    if (reroutes_.chance(reroute_)) choice_.take(1 + static_cast<int>(reroutes_.below(n_hops_max)));
    return;
  }
  n_stream_hops_most_ = n_streams_most * n_hops_max;
  n_constructed_ = exchange_.n_constructed();
  n_stream_hops_renewed_ = 0;
  if (n_streams_most * 8 > exchange_.backend().n_slots()) {
    choice_.take(n_hops_least());
  } else if (last.n_items != 0) {
    choice_.learn(last);
  }
}

}  // namespace shoal::internal
