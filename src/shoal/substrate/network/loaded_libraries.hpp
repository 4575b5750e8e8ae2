/// Which communication libraries the program has brought along: two MPI libraries in one process take each other's
/// symbols and handles, so Shoal asks before it opens one.
#pragma once

#include <string>

namespace shoal::network {

/// "openmpi", "mpich" (also its relatives with the same interface of binaries), "other", or "" if none is loaded.
/// Local. A library that was opened with RTLD_LOCAL is not seen and disturbs nobody.
std::string loaded_mpi();

/// Local.
bool is_shmem_loaded();

/// How users know a library: "Open MPI" for openmpi, "MPICH", "OpenSHMEM", "another MPI" for other.
std::string display_name(const std::string& library);

}  // namespace shoal::network
