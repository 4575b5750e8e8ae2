#include "shoal/substrate/internal/sim/final_report.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/substrate/internal/sim/stall_report.hpp"

namespace shoal::internal::sim {

// The first report ends all PEs, since they are one process. Only this function itself can cause a second one, through
// a stream's buffer that fails.
void final_report::end(int status, const std::string& text) noexcept {
  if (!std::exchange(is_ending_, true)) {
    std::cout.flush();
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
    std::fflush(nullptr);
  }
  std::_Exit(status);
}

void final_report::end(int status, pe_id pe, std::string_view report) noexcept {
  end(status, "shoal: PE " + std::to_string(pe) + ": " + printable(report) + " (sim: " + seed_and_pes() + ")\n");
}

std::string final_report::place_and_replay() const {
  return "(substrate sim, " + seed_and_pes() + "); replay with " + replay_environment(chosen_);
}

std::string final_report::seed_and_pes() const {
  return "seed " + std::to_string(chosen_.sim.value.seed) + ", " + std::to_string(chosen_.n_pes.value) + " PEs";
}

}  // namespace shoal::internal::sim
