/// Detects which launcher started this process, by the launchers' own environment variables.
#pragma once

#include <cstdint>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The launcher's facts. Throws setup_error that names a variable with an invalid value. Local.
launch_facts launch_facts_from_environment();

/// The descriptor of the job's memory that shoalrun passed; -1 without shoalrun. Together with the next three
/// functions it determines who reports errors in the rest of the environment. Local.
int job_fd_from_environment() noexcept;
/// The PE that shoalrun started this process as; 0 if it did not.
pe_id job_pe_from_environment() noexcept;

/// This process's number among those of a launcher other than shoalrun; -1 without one. Local.
std::int64_t launcher_rank_from_environment() noexcept;

/// Number of processes that the launcher of an MPI library or Slurm started, including this one. 0 if there is no such
/// launcher, or if this is the only task of a Slurm step. Local.
std::int64_t launched_pes_from_environment() noexcept;

/// Number of the launcher's processes on this machine, including this one; at least 1. Local.
int launched_processes_here();

}  // namespace shoal::internal
