/// This process as one PE: its substrate, and what lies below it.
#pragma once

namespace shoal::internal {

class substrate;

/// Worlds are made on its substrate, one after the other. Rounds continue from world to world, so a fast PE may arrive
/// at the first round of the next world while a slow one still reads the last round of this one.
class process_pe {
public:
  process_pe() = default;
  process_pe(const process_pe&) = delete;
  process_pe& operator=(const process_pe&) = delete;
  virtual ~process_pe() = default;

  virtual substrate& backend() noexcept = 0;

  /// Whether it lives until the process ends, because it cannot be made again: the memory of a job that shoalrun
  /// started, or a library that Shoal began. Otherwise it serves one world.
  virtual bool stays() const noexcept = 0;

  /// Called before each world except the first: the other PEs need this one again. Throws setup_error if what lies
  /// below the substrate is gone. Local.
  virtual void begin_next_world() = 0;

  /// Whether the PEs must close before their processes end, once there are no more worlds.
  virtual bool ends_with_others() const noexcept = 0;

  /// Whether a forked child that calls exit would wait for ever in the exit handlers of what lies below.
  virtual bool hangs_in_forked_child() const noexcept = 0;

  /// Releases what lies below the substrate. Called after the last round. Collective if ends_with_others().
  virtual void close() = 0;
};

}  // namespace shoal::internal
