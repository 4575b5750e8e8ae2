/// Where a job runs: on which substrate, with how many PEs, started by whom.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/settings.hpp"

namespace shoal::cli {

/// Checks a value of --substrate. Throws setup_error.
std::string parse_substrate(std::string_view text);

struct placement {
  settings chosen;  // for shoal::run_with in the process, or the processes, where the PEs live
  bool must_launch = false;  // this process is to start those processes
};

/// Options outrank environment variables, which outrank defaults: substrate local, one PE per allowed
/// core. A process that shoalrun, or this command, has started as a PE just is that. Throws setup_error.
/// `pes` is the value of --pes, or empty.
placement place(const std::string& substrate, const std::string& pes);

/// Starts this very command again on `n_pes` PEs and returns the job's exit status.
int launch_again(std::int64_t n_pes, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
