/// Detects which communication libraries the program has loaded. Two MPI libraries in one process use each other's
/// symbols and handles, so Shoal checks before it opens one.
#pragma once

#include <optional>

#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal::network {

/// The MPI that is loaded; empty if none is. Relatives of MPICH with the same binary interface count as MPICH, all
/// others as `other_mpi`. A library opened with RTLD_LOCAL is not seen and does no harm. Local.
std::optional<library_kind> loaded_mpi();

/// Whether an OpenSHMEM library is loaded. Local.
bool is_shmem_loaded();

}  // namespace shoal::internal::network
