/// Where a job runs: on which substrate, with how many PEs, started by whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

/// The names of all substrates for a message, each with an explanation: "local (processes), threads, …".
std::string substrate_names();

/// Parses a value of --substrate. Throws setup_error.
substrate_kind parse_substrate(std::string_view text);

/// What the user asks for; an empty member leaves the decision to Shoal.
struct placement_request {
  std::optional<substrate_kind> substrate;
  std::string pes;
  std::optional<library_kind> mpi;
};

struct placement {
  settings chosen;  // for shoal::run_with in the process or processes of the PEs
  bool must_launch = false;  // this process has to start those processes
};

/// Options outrank environment variables, which outrank defaults: substrate mpi under the launcher of an MPI library,
/// else local, with one PE per allowed core. A process that a launcher, or this command, has started as a PE remains
/// that PE. Throws setup_error.
placement place(const placement_request& asked);

/// Starts this same command again on the PEs of `where`, with the launcher of its substrate, and returns the job's exit
/// status. Throws setup_error.
int launch_again(const placement& where, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
