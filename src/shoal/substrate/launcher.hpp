/// Which launcher started this process, by the launchers' own environment variables.
#pragma once

#include <cstdint>

#include "shoal/base/settings.hpp"

namespace shoal {

/// What the launcher tells. Throws setup_error that names a variable with nonsense in it. Local.
launch_facts launch_facts_from_environment();

/// The descriptor of the job's memory that shoalrun handed down; -1 without shoalrun. Local. Together with the next two
/// it tells who reports that the rest of the environment is wrong.
int job_fd_from_environment() noexcept;

/// This process's number among those of a launcher other than shoalrun; -1 without one. Local.
std::int64_t launcher_rank_from_environment() noexcept;

/// How many processes the launcher of an MPI library or Slurm has started, including this one. 0 if none has, or if this
/// is the only task of a Slurm step. Local.
std::int64_t launched_pes_from_environment() noexcept;

/// How many of the launcher's processes are on this machine, including this one; at least 1. Local.
int launched_processes_here();

}  // namespace shoal
