/// Where a job runs: on which substrate, with how many PEs, started by whom.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/settings.hpp"

namespace shoal::cli {

/// The names of all substrates, and for a message what they are.
inline constexpr const char* substrate_names =
    "local (processes), threads, sim (simulated), mpi, mpi-rma (one-sided MPI) or shmem (OpenSHMEM)";

/// Checks a value of --substrate. Throws setup_error.
std::string parse_substrate(std::string_view text);

/// Whether processes of this substrate are started by the launcher of a communication library.
bool is_network(std::string_view substrate);

/// What the user asks for, as text; each empty: decide.
struct placement_request {
  std::string substrate;
  std::string pes;
  std::string mpi;  // openmpi or mpich
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
