/// The wire over MPI's one-sided calls.
#pragma once

#include "shoal/substrate/mpi/mpi_wire.hpp"

namespace shoal::mpi {

/// Collective.
network::wire* make_rma_wire(const session& of);

}  // namespace shoal::mpi
