/// The wire over OpenSHMEM.
#pragma once

#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::shmem {

/// Collective over all PEs; the library has begun. `is_ours`: we began it, so the wire's close ends it.
/// Throws runtime_error, on all or none, if the symmetric heap has no room for a few lines of each PE.
network::wire* make_shmem_wire(bool is_ours);

}  // namespace shoal::internal::shmem
