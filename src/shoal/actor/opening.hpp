/// The world of this process on a substrate of processes: opened and closed, by shoal::run and shoal::job alike.
#pragma once

#include <optional>

#include "shoal/actor/world.hpp"

namespace shoal::detail {

/// A codec that this build lacks is refused, even if no buffer leaves the node. Throws setup_error.
void require_codec(const settings& chosen);

/// The world from its first collective to its last. At most one exists in a process.
///
/// Where the substrate stays until the process ends (substrate/process_pe.hpp), the next opening makes its world on the
/// same one. Then it takes the settings of the first; others are refused.
class opening {
public:
  /// Finds the substrate or starts one, and makes the world. `chosen` has a substrate of processes. Collective; waits.
  /// Throws setup_error.
  opening(const settings& chosen, bool is_job, exit_policy at_exit);

  /// The world ends with it. Makes no collective call of the world.
  ~opening();
  opening(const opening&) = delete;
  opening& operator=(const opening&) = delete;

  world& here() noexcept { return *world_; }

private:
  std::optional<world> world_;
};

/// A forked child has the memory of its parent's opening but is no PE. Local.
bool is_forked_child() noexcept;

}  // namespace shoal::detail
