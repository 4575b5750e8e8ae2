/// All outboxes of a PE: flushes, drains and posts the open buffers and spilled items of all streams.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/conveyor/internal/outbox.hpp"

namespace shoal::internal {

class departures {
public:
  explicit departures(substrate& backend) noexcept : backend_(backend) {}
  departures(const departures&) = delete;
  departures& operator=(const departures&) = delete;

  void enlist(outbox& out) { outboxes_.push_back(&out); }
  void delist(outbox& out) noexcept { std::erase(outboxes_, &out); }

  /// Posts all partly filled buffers. Returns whether it posted any. Local, nonblocking.
  bool flush() noexcept;

  /// Sends spilled items as far as credits allow. Returns whether anything moved.
  bool drain_spills() noexcept;

  /// Posts open buffers whose slots must come back before `out` can get one. Returns whether it posted any.
  bool free_a_slot(outbox& out) noexcept;

  /// Posts the buffers that have reached their outbox's latency limit.
  void post_overdue() noexcept {
    if (next_due_.ns != UINT64_MAX) [[unlikely]]
      look_for_overdue();
  }
  bool has_due() const noexcept { return next_due_.ns != UINT64_MAX; }
  /// The earliest due time, which outboxes keep up to date.
  due_time& next_due() noexcept { return next_due_; }

private:
  void look_for_overdue() noexcept;

  substrate& backend_;
  std::vector<outbox*> outboxes_;  // oldest first
  due_time next_due_;
};

}  // namespace shoal::internal
