/// How long the acts of an actor take.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace shoal::internal {

class act_cost {
public:
  /// An act has taken `ns`. On any worker.
  void add(std::uint64_t ns) noexcept { total_ns_.fetch_add(ns, std::memory_order_relaxed); }
  /// Of all acts on this PE.
  std::uint64_t total_ns() const noexcept { return total_ns_.load(std::memory_order_relaxed); }

  // --- On the PE's own thread

  /// Which share of the PE's time its acts took since the last call, `elapsed_ns` ago, halfway between that and what was known before:
  /// few acts fall into so short a time. One that has come meanwhile keeps what it has brought along.
  double measure_share(double elapsed_ns) noexcept {
    const std::uint64_t now_ns = total_ns();
    const double share = static_cast<double>(now_ns - std::exchange(seen_ns_, now_ns)) / elapsed_ns;
    if (std::exchange(has_come_, false)) return share_;
    share_ = share_ > 0 ? (share_ + share) / 2 : share;
    return share_;
  }
  double share() const noexcept { return share_; }
  /// Its actor has come from another PE, where its acts took this share.
  void bring_share(double share) noexcept {
    share_ = share;
    has_come_ = share > 0;
  }

private:
  std::atomic<std::uint64_t> total_ns_{0};
  std::uint64_t seen_ns_ = 0;
  double share_ = 0;
  bool has_come_ = false;
};

}  // namespace shoal::internal
