#include "shoal/launcher/internal/signals.hpp"

#include <sys/signalfd.h>

#include <cstring>

namespace shoal::internal::launcher {

sigset_t heeded(std::span<const int> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) {
    struct sigaction now = {};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::sigaddset(&set, signal);
  }
  return set;
}

descriptor watch(const sigset_t& signals, int flags) {
  return descriptor(::signalfd(-1, &signals, flags | SFD_CLOEXEC));
}

std::string name_signal(int signal) { return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")"; }

}  // namespace shoal::internal::launcher
