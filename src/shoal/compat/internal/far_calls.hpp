/// Calls of shmem.h that travel as messages, in programs that are linked with -lshoal_aggregated; others have none.
#pragma once

namespace shoal {
class world;
}

namespace shoal::internal::compat {

/// What the rest of the layer asks of them.
class far_calls {
public:
  far_calls(const far_calls&) = delete;
  far_calls& operator=(const far_calls&) = delete;

  /// Waits until all calls that this PE has begun are carried out. Main program only.
  virtual void complete(const char* call) = 0;

  /// The same if there are any, where handlers may run next: their calls go at once, and do not overtake earlier ones.
  virtual void complete_before_handlers() = 0;

  /// Calls on each PE keep their order, so a fence has nothing to do but to let others go on, now and then.
  virtual void note_fence() = 0;

  /// Destroys the object. Collective, when the job closes. `complete` came before.
  virtual void end() noexcept = 0;

protected:
  far_calls() = default;
  ~far_calls() = default;
};

/// Null in a program without that option: its object file alone defines the function. Collective. Returns null if the
/// job has one node. Throws setup_error if the job has no buffer slots for it.
[[gnu::weak]] far_calls* start_far_calls(world& in);

}  // namespace shoal::internal::compat
