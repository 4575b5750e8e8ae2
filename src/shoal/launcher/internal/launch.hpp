/// Starts a program on P PEs of this machine and waits for its end: what `shoalrun` does.
#pragma once

#include <string>
#include <vector>

namespace shoal::internal::launcher {

enum class binding {
  automatic,  // `core` if there are enough cores, otherwise `none`
  core,  // a core per worker of each PE; too few cores are an error
  none,  // every PE may run on every core of the launcher
};

struct launch_options {
  int n_pes = 0;  // 1 to max_pes; 0: as many as keep all allowed cores busy
  int n_workers = 0;  // of each PE, 1 to max_workers; 0: the caller's SHOAL_WORKERS
  binding bind = binding::automatic;
  bool tag = false;  // put "[pe] " before each output line
  std::string heap;  // symmetric heap per PE, in the form of SHOAL_HEAP; empty: the caller's SHOAL_HEAP
  int debug_pe = -1;  // the PE that waits for a debugger, or -1
  std::string name = "shoalrun";  // begins each line that the launcher itself prints
};

/// Runs `command`, found as the shell finds it, on every PE, and returns the exit status of the job:
/// - 0 if every PE succeeded,
/// - otherwise the status of the first PE that failed, or 128 + the number of the signal that ended it,
/// - 2 if the job could not be started.
/// One line on stderr says what went wrong, unless a PE has said it already. When launch returns, all processes that
/// the job started are gone.
///
/// Waits. Meanwhile it handles this process's signals: SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP and
/// SIGCONT go to the PEs. Call it from a process with one thread and no children.
///
/// The launcher consists of two processes. This one, whose id the user knows, only passes signals on. Its child, the
/// supervisor (supervisor.hpp), is the parent of the PEs. If one of the two is killed, even by SIGKILL, the other one
/// ends everything that the PEs have started.
int launch(const launch_options& options, const std::vector<std::string>& command);

}  // namespace shoal::internal::launcher
