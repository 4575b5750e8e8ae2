/// Finds out which library's processes can connect under srun, and what to do if they cannot. Slurm starts processes of
/// any library. Its option --mpi, or the site's default for it, says how they find each other.
#pragma once

#include "shoal/base/settings.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal::network {

/// The MPI that the step supports; the other one if only that has a module. Local.
library_kind library_of_step(const settings& chosen);

/// Throws setup_error if `library` is Open MPI's (or its OpenSHMEM) and srun did not start the program as it needs.
/// Otherwise each process would fail at its start with a page of text. Local.
void check_step(const settings& chosen, library_kind library);

/// Whether the launcher may leave PEs waiting for one that was killed: without PMIx, srun does unless it has
/// --kill-on-bad-exit. Local.
bool may_outlive_dead(const settings& chosen, library_kind library);

/// How to start a program of either library, for a message.
inline constexpr const char* how_to_start_a_step = "srun --mpi=pmi2 (for MPICH) or srun --mpi=pmix (for Open MPI)";

}  // namespace shoal::internal::network
