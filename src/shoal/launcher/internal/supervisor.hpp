/// The parent of the PEs: starts them, watches them, and ends all of them when one fails.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/launcher/internal/launch.hpp"

namespace shoal::internal::launcher {

/// Sent through a pipe from the launcher to the supervisor: a signal that the launcher got and the PEs did not. The
/// pipe ends with the launcher.
struct signal_order {
  int signal = 0;
};

/// Runs the job and returns its exit status; see launch(). Needs a process of its own, with every signal blocked.
/// `pe_signals` is the signal mask for the PEs.
int supervise(const launch_options& options, const std::vector<std::string>& command, descriptor orders,
              const sigset_t& pe_signals);

}  // namespace shoal::internal::launcher
