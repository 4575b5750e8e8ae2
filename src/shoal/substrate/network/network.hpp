/// Starting a PE on a network substrate: mpi, mpi-rma or shmem.
#pragma once

#include <string_view>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/run.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::network {

/// Whether this is the name of a network substrate.
bool is_network(std::string_view substrate) noexcept;

/// Looks at what the program has loaded: with an OpenSHMEM library in it, `mpi` as chosen from a launcher of both
/// becomes `shmem`; with an MPI that has begun, `local` as chosen for want of a launcher becomes `mpi`, and with any MPI
/// `local` as chosen for the only task of a Slurm step. Local.
void look_at_loaded_libraries(settings& chosen);

/// Runs this process as one PE of a job that a launcher of the library started: opens the library's module, finds the
/// nodes, decides the sizes of the run with all other PEs (`chosen` is filled in), and calls `body`. Collective. Throws
/// setup_error.
int run(settings& chosen, const pe_body& body);

}  // namespace shoal::network
