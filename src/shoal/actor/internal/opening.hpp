/// Opens and closes the world of this process on a substrate of processes, for shoal::run and shoal::job.
#pragma once

#include <optional>

#include "shoal/actor/world.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"

namespace shoal::internal {

/// Rejects a codec that this build lacks, even if no buffer leaves the node. Throws setup_error.
void require_codec(const settings& chosen);

/// Makes what looks for stalls on a PE, unless its substrate knows by itself. Every PE of the job calls it.
void make_watch(std::optional<stall_watch>& into, substrate& backend, const settings& chosen);

/// The world from its first collective call to its last. A process has at most one.
///
/// If the substrate stays until the process ends (process_pe.hpp), the next opening makes its world on the
/// same substrate. It must then have the settings of the first opening; others are refused.
class opening {
public:
  /// Finds or starts the substrate and makes the world. `chosen` names a substrate of processes. Collective; waits.
  /// Throws setup_error.
  opening(const settings& chosen, bool is_job, exit_policy at_exit);

  /// Destroys the world, without a collective call of it.
  ~opening();
  opening(const opening&) = delete;
  opening& operator=(const opening&) = delete;

  world& here() noexcept { return *world_; }

private:
  std::optional<world> world_;
};

/// True in a forked child: it has the memory of its parent's opening but is not a PE. Local.
bool is_forked_child() noexcept;

/// Ends this process with one line if it is a forked child, which is about to open a world. Says nothing in the name of
/// the job, which goes on.
void refuse_forked_child() noexcept;

}  // namespace shoal::internal
