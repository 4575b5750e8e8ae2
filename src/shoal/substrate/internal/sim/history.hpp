/// The history of a simulation: how often the world has changed, and a hash over all changes.
#pragma once

#include <cstdint>

#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/sim/scheduler.hpp"

namespace shoal::internal::sim {

class history {
public:
  /// Records an event that has taken effect.
  void note(const event& applied) noexcept {
    note(applied.time_ns, static_cast<std::uint64_t>(applied.kind) << 56 ^
                              static_cast<std::uint64_t>(applied.pe) << 32 ^ applied.subject);
  }

  /// Records that PE `by` has changed something that another PE, or itself later, may see. `what` identifies the
  /// change.
  void note(pe_id by, std::uint64_t now_ns, std::uint64_t what) noexcept {
    note(now_ns, static_cast<std::uint64_t>(by) << 32 ^ what);
  }

  std::uint64_t n_changes() const noexcept { return n_changes_; }

  /// Equal for equal settings and programs.
  std::uint64_t hash() const noexcept { return hash_; }

private:
  void note(std::uint64_t time_ns, std::uint64_t what) noexcept {
    ++n_changes_;
    hash_ = mixed_bits(hash_ ^ time_ns) + what;
  }

  std::uint64_t n_changes_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace shoal::internal::sim
