/// Cores that the PEs of a simulation share, as processes share those of one machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace shoal::internal::sim {

/// The work of a call, or what a program charges at once, runs on a core that is free, or on the one that is free first, and keeps
/// it until it is done. PEs get cores in the order in which they are simulated, so one that runs ahead may get a core before
/// another one's earlier work. An operating system is not fair in shorter times either. A PE that waits needs no core.
class shared_cores {
public:
  /// 0: each PE has a core of its own.
  explicit shared_cores(std::uint64_t n) : free_ns_(n) {}

  bool are_shared() const noexcept { return !free_ns_.empty(); }

  /// When work of `ns` is done that could begin now.
  std::uint64_t run(std::uint64_t now_ns, std::uint64_t ns) noexcept {
    if (free_ns_.empty() || ns == 0) return now_ns + ns;
    // Of the cores that are free now, the one that has been free shortest: usually the one that this PE has just had. The
    // others may still serve PEs that are behind this one.
    std::uint64_t* best = &free_ns_.front();
    for (std::uint64_t& each : free_ns_) {
      const bool is_better = each <= now_ns ? *best > now_ns || each > *best : *best > now_ns && each < *best;
      if (is_better) best = &each;
    }
    *best = std::max(now_ns, *best) + ns;
    return *best;
  }

private:
  std::vector<std::uint64_t> free_ns_;  // by core: when it has nothing more to do
};

}  // namespace shoal::internal::sim
