/// The wire over MPI's one-sided calls.
#pragma once

#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

namespace shoal::internal::mpi {

/// Collective.
network::wire* make_rma_wire(const session& of);

}  // namespace shoal::internal::mpi
