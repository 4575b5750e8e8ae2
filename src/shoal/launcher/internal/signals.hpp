/// Reads signals from a descriptor, so that the launcher needs no handlers and no global state.
#pragma once

#include <signal.h>

#include <span>
#include <string>

#include "shoal/base/internal/descriptor.hpp"

namespace shoal::internal::launcher {

/// Those of `signals` that this process does not ignore. A signal that the caller ignores, as under nohup, stays
/// ignored. It must not be watched: the kernel queues a blocked signal for a watcher even if it is ignored.
sigset_t heeded(std::span<const int> signals);

/// A descriptor from which `signals` can be read as signalfd_siginfo. The signals must be blocked. `flags` as for
/// signalfd(2). Programs started later never inherit the descriptor.
descriptor watch(const sigset_t& signals, int flags = 0);

/// "signal 9 (Killed)"
std::string name_signal(int signal);

}  // namespace shoal::internal::launcher
