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

  /// Takes the time of acts since the last call as a share of `elapsed_ns`, and gives it.
  double measure_share(double elapsed_ns) noexcept {
    const std::uint64_t now_ns = total_ns();
    share_ = static_cast<double>(now_ns - std::exchange(seen_ns_, now_ns)) / elapsed_ns;
    return share_;
  }
  double share() const noexcept { return share_; }

private:
  std::atomic<std::uint64_t> total_ns_{0};
  std::uint64_t seen_ns_ = 0;
  double share_ = 0;
};

}  // namespace shoal::internal
