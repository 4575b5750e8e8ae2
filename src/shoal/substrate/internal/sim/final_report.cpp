#include "shoal/substrate/internal/sim/final_report.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/stall_action.hpp"
#include "shoal/substrate/internal/debugger.hpp"
#include "shoal/substrate/internal/sim/stall_report.hpp"

namespace shoal::internal::sim {

// The first report ends all PEs, since they are one process. Only this function itself can cause a second one, through
// a stream's buffer that fails.
void final_report::end(int status, const std::string& text) noexcept {
  print(text);
  std::_Exit(status);
}

void final_report::print(const std::string& text) noexcept {
  if (std::exchange(is_ending_, true)) return;
  std::cout.flush();
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  std::fflush(nullptr);
}

void final_report::end(int status, pe_id pe, std::string_view report) noexcept {
  end(status, "shoal: PE " + std::to_string(pe) + ": " + printable(report) + " (sim: " + seed_and_pes() + ")\n");
}

void final_report::end_stalled(const std::string& text) noexcept {
  const stall_action action = chosen_.on_stall.value;
  if (action == stall_action::report) end(status_failure, text);
  print(text);
  if (action == stall_action::abort) std::abort();
  let_debuggers_attach();
  std::fprintf(stderr, "shoal: the process stays for a debugger; attach with: gdb -p %d\n",
               static_cast<int>(::getpid()));
  for (;;) ::pause();
}

std::string final_report::place_and_replay() const {
  return "(substrate sim, " + seed_and_pes() + "); replay with " + replay_environment(chosen_);
}

std::string final_report::seed_and_pes() const {
  return "seed " + std::to_string(chosen_.sim.value.seed) + ", " + std::to_string(chosen_.n_pes.value) + " PEs";
}

}  // namespace shoal::internal::sim
