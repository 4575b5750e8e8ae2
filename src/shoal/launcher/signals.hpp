/// Signals that are read from a descriptor, so that the launcher needs no handlers and no global state.
#pragma once

#include <signal.h>

#include <span>
#include <string>

#include "shoal/base/descriptor.hpp"

namespace shoal::launcher {

/// Those of `signals` that this process does not ignore. A signal that its caller ignores, as nohup does with SIGHUP,
/// stays ignored. It must not be watched: the kernel keeps a blocked signal for a watcher even if it is ignored.
sigset_t heeded(std::span<const int> signals);

/// A descriptor from which `signals` can be read as signalfd_siginfo. They have to be blocked. `flags` as for
/// signalfd(2); the descriptor is never inherited by programs started later.
descriptor watch(const sigset_t& signals, int flags = 0);

/// "signal 9 (Killed)"
std::string name_signal(int signal);

}  // namespace shoal::launcher
