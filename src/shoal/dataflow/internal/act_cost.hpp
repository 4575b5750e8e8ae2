/// How long the acts of an actor take.
#pragma once

#include <algorithm>
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

  /// Which share of the PE's time its acts took since the last call, `elapsed_ns` ago. A short time has few acts, so what was known
  /// before counts as much as `ns_of_memory`. One that has come meanwhile keeps what it has brought along.
  double measure_share(double elapsed_ns) noexcept {
    const std::uint64_t now_ns = total_ns();
    // An act is counted where it ends.
    const double share = std::min(1.0, static_cast<double>(now_ns - std::exchange(seen_ns_, now_ns)) / elapsed_ns);
    if (std::exchange(has_come_, false)) return share_;
    const double known = share_ > 0 ? ns_of_memory / (ns_of_memory + elapsed_ns) : 0;
    share_ = known * share_ + (1 - known) * share;
    if (share_ < least_share) share_ = 0;
    return share_;
  }
  double share() const noexcept { return share_; }
  /// Its actor has come from another PE, where its acts took this share.
  void bring_share(double share) noexcept {
    share_ = share;
    has_come_ = share > 0;
  }

private:
  static constexpr double ns_of_memory = 5e6;
  static constexpr double least_share = 1e-4;  // others are asleep

  std::atomic<std::uint64_t> total_ns_{0};
  std::uint64_t seen_ns_ = 0;
  double share_ = 0;
  bool has_come_ = false;
};

}  // namespace shoal::internal
