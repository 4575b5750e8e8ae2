/// A job that a program opens and closes itself, instead of passing a function to shoal::run: for programs that own
/// `main`, for bindings of other languages, for libraries.
#pragma once

#include <cstdint>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/owner.hpp"

namespace shoal::internal {
class opening;
}

namespace shoal {

struct communicator_handle;
struct settings;

namespace internal {}

/// What a call of exit means while a job is open.
enum class exit_policy : std::uint8_t {
  report,  // a mistake: one line, and the job ends with status 2
  close,  // an end: exit(0) silently closes the job on this PE; exit(n) ends it on all PEs with status n
};

/// The world of this process while the object lives:
///
///     int main() {
///       shoal::job job;
///       shoal::world& world = job.world();
///       …
///     }
///
/// Runs on substrates whose PEs are processes: networks, and `local` (under shoalrun, or alone as one PE). `sim` and
/// `threads` have several PEs in a process, so they refuse it. A process can have one open job at a time, and none
/// inside shoal::run. Only the thread that opened a job may use and close it. Jobs and calls of shoal::run may follow
/// one another. If the process keeps its substrate (docs/design/entry-and-world.md), all of them have the settings of
/// the first.
///
/// An uncaught exception while a job is open ends the job on all PEs with one report, as does one that leaves the body
/// of shoal::run. A forked child is not a PE; it may exit and destroy its copy of the object.
class job {
public:
  /// Opens a job with the settings of the environment, with given settings, or on the processes of a communicator
  /// (shoal/mpi.hpp). Collective; waits. Throws setup_error; if uncaught, that prints one line and exits with status 2.
  explicit job(exit_policy at_exit = exit_policy::report);
  explicit job(const settings& chosen, exit_policy at_exit = exit_policy::report);
  explicit job(const communicator_handle& on, exit_policy at_exit = exit_policy::report);

  /// Closes the job. Collective; waits, and handlers run meanwhile. Requires that no `finish` is open and that actors,
  /// conveyors and other objects of the world are destroyed. During stack unwinding it ends the job on all PEs with a
  /// report, since the other PEs may wait elsewhere.
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  shoal::world& world() const noexcept;

private:
  void open(settings chosen, exit_policy at_exit);

  internal::owner<internal::opening> opening_;
  int n_exceptions_ = 0;  // exceptions in flight when it was opened
};

}  // namespace shoal
