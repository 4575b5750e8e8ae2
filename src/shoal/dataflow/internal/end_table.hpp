/// The ends of channels on a PE, by the numbers that messages name.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Where an end of a channel is. `n_moves`: how often it had moved when it came there, so that older news is told from
/// newer.
struct end_place {
  pe_id pe = -1;
  std::uint32_t number = 0;
  std::uint32_t n_moves = 0;
};

/// A number is given once, so a message that comes too late finds nothing. Ends that have moved to another PE leave
/// behind where they are. Of the PE's own thread.
template <class End>
class end_table {
public:
  std::uint32_t enter(End& its) {
    ends_.push_back(&its);
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  /// Null: it has moved, or its channel has ended.
  End* find(std::uint32_t number) const noexcept {
    SHOAL_ASSERT(number < ends_.size());
    return ends_[number];
  }

  /// The channel of this end has ended.
  void leave(std::uint32_t number) noexcept { ends_[number] = nullptr; }

  /// This end is on its way to another PE. What comes for it waits until that PE has told its place.
  void depart(std::uint32_t number) {
    ends_[number] = nullptr;
    departed_.try_emplace(number);
  }
  void note_place(std::uint32_t number, const end_place& now) {
    departed_end& its = departed_.at(number);
    its.now = now;
    for (const follower& each : std::exchange(its.followers, {})) each(now);
  }

  /// Calls f(place) for an end that is not here, now or when its place is known; never if its channel has ended.
  template <class F>
  void follow(std::uint32_t number, F f) {
    const auto its = departed_.find(number);
    if (its == departed_.end()) return;
    if (its->second.now.pe < 0) {
      its->second.followers.emplace_back(std::move(f));
    } else {
      f(its->second.now);
    }
  }

private:
  using follower = std::function<void(const end_place& now)>;
  struct departed_end {
    end_place now;  // of PE -1: not yet known
    std::vector<follower> followers;
  };

  std::vector<End*> ends_;
  std::unordered_map<std::uint32_t, departed_end> departed_;
};

}  // namespace shoal::internal
