/// All outboxes of a PE: what is done with open buffers and spilled items of all streams together.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/conveyor/outbox.hpp"

namespace shoal {

class departures {
public:
  explicit departures(substrate& machine) noexcept : machine_(machine) {}
  departures(const departures&) = delete;
  departures& operator=(const departures&) = delete;

  void enlist(outbox& out) { outboxes_.push_back(&out); }
  void delist(outbox& out) noexcept { std::erase(outboxes_, &out); }

  /// Posts all partly filled buffers. Returns whether there were any. Local, nonblocking.
  bool flush() noexcept;

  /// Sends what was spilled as far as credits go. Returns whether anything moved.
  bool drain_spills() noexcept;

  /// Called when `out` finds no slot: posts what keeps one from coming back. Returns whether there was anything.
  bool free_a_slot(outbox& out) noexcept;

  /// Posts what has waited for as long as its outbox's limit of latency allows.
  void post_overdue() noexcept {
    if (next_due_.ns != UINT64_MAX) [[unlikely]]
      look_for_overdue();
  }
  bool has_due() const noexcept { return next_due_.ns != UINT64_MAX; }
  /// What outboxes note their due times in.
  due_time& next_due() noexcept { return next_due_; }

private:
  void look_for_overdue() noexcept;

  substrate& machine_;
  std::vector<outbox*> outboxes_;  // oldest first
  due_time next_due_;
};

}  // namespace shoal
