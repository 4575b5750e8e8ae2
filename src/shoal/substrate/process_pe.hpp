/// This process as one PE: its substrate, and what lies below that.
#pragma once

namespace shoal {

class substrate;

/// Worlds are made on its substrate, one after the other. Rounds go on from world to world, so a fast PE may arrive at the
/// first round of the next world while a slow one still reads the last round of this one.
class process_pe {
public:
  process_pe() = default;
  process_pe(const process_pe&) = delete;
  process_pe& operator=(const process_pe&) = delete;
  virtual ~process_pe() = default;

  virtual substrate& machine() noexcept = 0;

  /// Whether it stays until the process ends, because it cannot be made a second time: the memory of a job that shoalrun
  /// started, or a library that Shoal began. Otherwise it serves one world.
  virtual bool stays() const noexcept = 0;

  /// Called before each world but the first: the other PEs need this one again. Local. Throws setup_error if what lies
  /// below the substrate is gone.
  virtual void begin_next_world() = 0;

  /// Whether the PEs must close before their processes end, when nobody makes a world any more.
  virtual bool ends_with_others() const noexcept = 0;

  /// Gives up what lies below the substrate. Collective where ends_with_others() says so; after the last round.
  virtual void close() = 0;
};

}  // namespace shoal
