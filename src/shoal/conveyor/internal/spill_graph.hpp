/// Records which handlers send where, as far as back-pressure needs it.
///
/// A vertex is one hop of a stream on this PE. An edge means "my handler sends to it" and is noted when such a send
/// spills. While a vertex has spilled blocks, dispatch delivers to no vertex that can reach it, which includes the
/// vertex itself if it sends to itself. docs/design/back-pressure.md has the reasons.
#pragma once

#include <algorithm>
#include <vector>

#include "shoal/conveyor/internal/slot_pool.hpp"

namespace shoal::internal {

class spill_vertex {
public:
  /// `held`: what the hop holds; outlives the vertex. `may_overrun`: false for a relay, which never needs to send
  /// beyond the credits.
  spill_vertex(const slot_pool::account& held, bool may_overrun) noexcept : held_(held), may_overrun_(may_overrun) {}
  spill_vertex(const spill_vertex&) = delete;
  spill_vertex& operator=(const spill_vertex&) = delete;

  bool has_spilled() const noexcept { return held_.n_blocks != 0; }
  bool may_overrun() const noexcept { return may_overrun_; }

  /// Notes that a send by this vertex's handler to `target` spilled.
  void note_edge(spill_vertex& target) {
    if (std::ranges::find(sends_to_, &target) == sends_to_.end()) sends_to_.push_back(&target);
  }
  void drop_edge(const spill_vertex& target) noexcept { std::erase(sends_to_, &target); }
  void drop_edges() noexcept { sends_to_.clear(); }

  /// Whether its sink must wait. A relay waits only for its own next hop: what later handlers wait for must not hold it
  /// back.
  bool is_blocked() const;
  /// Whether noted edges lead from it back to itself, or grow_spill presumed so in this session.
  bool is_on_cycle() const;
  void presume_on_cycle() noexcept { is_presumed_on_cycle_ = true; }
  void begin_session() noexcept { is_presumed_on_cycle_ = false; }

private:
  template <class Predicate>
  bool reaches(Predicate is_one) const;

  const slot_pool::account& held_;
  const bool may_overrun_;
  bool is_presumed_on_cycle_ = false;
  std::vector<spill_vertex*> sends_to_;
};

}  // namespace shoal::internal
