/// A job that a program opens and closes itself, where shoal::run would call a function: for programs that own `main`, for
/// bindings of other languages, for libraries.
#pragma once

#include <memory>

#include "shoal/actor/exit_policy.hpp"
#include "shoal/actor/world.hpp"

namespace shoal {

struct communicator_handle;
struct settings;

namespace detail {
class opening;
}

/// The world of this process while the object lives:
///
///     int main() {
///       shoal::job job;
///       shoal::world& world = job.world();
///       …
///     }
///
/// On substrates whose PEs are processes: `local`, under shoalrun or alone as one PE, and networks. `sim` and `threads`
/// have several PEs in a process, and refuse. One job is open in a process at a time, and none inside shoal::run. It is
/// used, and closed, by the thread that opened it. Jobs and calls of shoal::run may follow one another; where the process
/// keeps its substrate (docs/design/entry-and-world.md), all have the settings of the first.
///
/// An exception that nobody catches while a job is open ends it on all PEs with one report, as one that leaves the body
/// given to shoal::run. A forked child may exit, and destroy its copy of the object; it is no PE.
class job {
public:
  /// Opens a job as the environment says, with given settings instead, or on the processes of a communicator
  /// (shoal/mpi.hpp). Collective; waits. Throws setup_error; if nobody catches that, it is one line and status 2.
  explicit job(exit_policy at_exit = exit_policy::report);
  explicit job(const settings& chosen, exit_policy at_exit = exit_policy::report);
  explicit job(const communicator_handle& on, exit_policy at_exit = exit_policy::report);

  /// Closes it. Collective; waits, and handlers run meanwhile. Actors, conveyors and other objects of the world are
  /// destroyed before, and no `finish` is open. During stack unwinding it ends the job on all PEs with a report, since the
  /// other PEs may wait elsewhere.
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  shoal::world& world() const noexcept;

private:
  void open(settings chosen, exit_policy at_exit);

  std::unique_ptr<detail::opening> opening_;
  int n_exceptions_ = 0;  // under way when it was opened
};

}  // namespace shoal
