/// Starts a PE on a network substrate: mpi, mpi-rma or shmem.
#pragma once

#include <memory>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace shoal::internal::network {

/// The parts of a PE's memory budget between nodes: one for sending, one for arriving buffers.
inline constexpr std::size_t n_budget_parts = 2;

/// Adapts a substrate that the user did not choose to what the program has loaded. Local.
///
/// | the program has            | the choice so far                          | becomes |
/// |----------------------------|--------------------------------------------|---------|
/// | an MPI                     | `local`, for the only task of a Slurm step | `mpi`   |
/// | an OpenSHMEM library       | `mpi`, by a launcher of both               | `shmem` |
/// | given Shoal a communicator | no network substrate                       | `mpi`   |
void look_at_loaded_libraries(settings& chosen);

/// Makes this process one PE of a job that a launcher of the library started: opens the library's module, finds the
/// nodes, and calls `resolve` to decide the sizes of the run for all PEs (which fills in `chosen`). Collective. Throws
/// setup_error.
std::unique_ptr<process_pe> start_process(settings& chosen, resolve_function resolve);

}  // namespace shoal::internal::network
