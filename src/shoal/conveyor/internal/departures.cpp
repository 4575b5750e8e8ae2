#include "shoal/conveyor/internal/departures.hpp"

namespace shoal::internal {

bool departures::flush() noexcept {
  bool has_moved = false;
  for (outbox* out : outboxes_) has_moved |= out->flush();
  next_due_ = {};  // spilled items become due when they get credits
  return has_moved;
}

bool departures::drain_spills() noexcept {
  bool has_moved = false;
  for (outbox* out : outboxes_) {
    if (!out->has_spilled()) continue;
    has_moved |= out->drain_spills();
    // Its only slot may be open and partly filled on another link.
    if (out->has_spilled()) has_moved |= free_a_slot(*out);
  }
  return has_moved;
}

// If it has no slots, those that are open in other outboxes may be all there are.
bool departures::free_a_slot(outbox& out) noexcept { return out.has_slots() ? out.free_a_slot() : flush(); }

void departures::look_for_overdue() noexcept {
  const std::uint64_t now_ns = backend_.now_ns();
  if (now_ns < next_due_.ns) return;
  due_time next;
  for (outbox* out : outboxes_) {
    if (out->latency_ns() != 0) next.note(out->post_overdue(now_ns));
  }
  next_due_ = next;
}

}  // namespace shoal::internal
