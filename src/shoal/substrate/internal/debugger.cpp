#include "shoal/substrate/internal/debugger.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace shoal::internal {
namespace {

// Without /proc, nobody can tell, so it is true.
bool has_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "TracerPid:") continue;
    long tracer = 0;
    return !(status >> tracer) || tracer != 0;
  }
  return true;
}

}  // namespace

void let_debuggers_attach() noexcept { ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); }

void wait_for_debugger(const settings& chosen, pe_id pe) {
  if (chosen.debug_pe.value != pe) return;
  let_debuggers_attach();
  std::fprintf(stderr, "shoal: PE %d (process %d) waits for a debugger; attach with: gdb -p %d\n", static_cast<int>(pe),
               static_cast<int>(::getpid()), static_cast<int>(::getpid()));
  while (!has_debugger()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace shoal::internal
