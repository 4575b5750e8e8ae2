/// Where a job runs: on which substrate, with how many PEs, started by whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/network/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

/// The names of all substrates for a message, with what they are: "local (processes), threads, …".
std::string substrate_names();

/// Parses a value of --substrate. Throws setup_error.
substrate_kind parse_substrate(std::string_view text);

/// What the user asks for; each empty: decide.
struct placement_request {
  std::optional<substrate_kind> substrate;
  std::string pes;
  std::optional<library_kind> mpi;
};

struct placement {
  settings chosen;  // for shoal::run_with in the process, or the processes, where the PEs live
  bool must_launch = false;  // this process is to start those processes
};

/// Options outrank environment variables, which outrank defaults: substrate mpi under the launcher of an MPI library,
/// else local, one PE per allowed core. A process that a launcher, or this command, has started as a PE just is that.
/// Throws setup_error.
placement place(const placement_request& asked);

/// Starts this very command again on the PEs of `where`, by the launcher of its substrate, and returns the job's exit
/// status. Throws setup_error.
int launch_again(const placement& where, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
