/// Shoal in a program with MPI communicators of its own. Needs no MPI header: a communicator is passed as MPI_Fint.
#pragma once

#include <cstdint>

#include "shoal/actor/job.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/internal/headers_place.hpp"
#include "shoal/base/settings.hpp"

namespace shoal::mpi {

/// As shoal::run, on the processes of a communicator: `shoal::mpi::run(MPI_Comm_c2f(comm), body)`. Its ranks are the
/// PEs. The program must call MPI_Init before and MPI_Finalize after. On this thread it may call MPI: between supersteps
/// whatever it likes, inside them what does not wait (docs/foreign-calls.md). Collective over the communicator; may be
/// called again after it has returned.
template <class Body>
int run(std::int32_t communicator, Body&& body) {
  return internal::run_on_communicator(communicator, internal::program_body(body));
}

/// Passes a communicator to a job: `shoal::job job{shoal::mpi::communicator(MPI_Comm_c2f(comm))}`. As for `run`, the
/// program must call MPI_Init before and MPI_Finalize after the job.
inline communicator_handle communicator(std::int32_t handle) { return {.handle = handle, .has_value = true}; }

}  // namespace shoal::mpi
