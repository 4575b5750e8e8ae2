/// Which handlers send where, as far as back-pressure has to know.
///
/// A node is one hop of a stream on this PE. An edge "my handler sends to it" is noted when such a send spilled. While a
/// node has spilled blocks, no node from which it can be reached is delivered to, nor is it itself if it sends to itself.
/// docs/design/back-pressure.md has the reasons.
#pragma once

#include <algorithm>
#include <vector>

#include "shoal/conveyor/slot_pool.hpp"

namespace shoal {

class spill_node {
public:
  /// `held`: what the hop holds; outlives the node. `may_overrun`: false for a relay, which never has to send beyond the
  /// credits.
  spill_node(const slot_pool::account& held, bool may_overrun) noexcept : held_(held), may_overrun_(may_overrun) {}
  spill_node(const spill_node&) = delete;
  spill_node& operator=(const spill_node&) = delete;

  bool has_spilled() const noexcept { return held_.n_blocks != 0; }
  bool may_overrun() const noexcept { return may_overrun_; }

  /// A send by this node's handler to `target` spilled.
  void note_edge(spill_node& target) {
    if (std::ranges::find(sends_to_, &target) == sends_to_.end()) sends_to_.push_back(&target);
  }
  void drop_edge(const spill_node& target) noexcept { std::erase(sends_to_, &target); }
  void drop_edges() noexcept { sends_to_.clear(); }

  /// Whether its sink must wait. A relay waits for its next hop alone: it must not be held back by what the handlers
  /// after it wait for.
  bool is_blocked() const;
  /// Whether it can be reached from itself along noted edges, or had to be taken for such a node since the session began.
  bool is_on_cycle() const;
  void presume_on_cycle() noexcept { is_presumed_on_cycle_ = true; }
  void begin_session() noexcept { is_presumed_on_cycle_ = false; }

private:
  template <class Predicate>
  bool reaches(Predicate is_one) const;

  const slot_pool::account& held_;
  const bool may_overrun_;
  bool is_presumed_on_cycle_ = false;
  std::vector<spill_node*> sends_to_;
};

}  // namespace shoal
