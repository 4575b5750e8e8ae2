/// The libraries that modules are built with, and the only table of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/base/internal/named.hpp"

namespace shoal {

enum class library_kind : std::uint8_t {
  open_mpi,
  mpich,
  openshmem,
  hwloc,
  metis,
  scotch,
  other_mpi,  // one that the program has loaded and that no module is for
};

struct library_entry {
  library_kind id;
  std::string_view name;  // what users write; the module is shoal-<name>.so
  std::string_view display_name;
  std::string_view serves;  // for a list of modules: substrates, or another purpose
  bool is_mpi;  // its mpirun starts PEs, and SHOAL_MPI may name it
  library_kind mpi;  // a program that uses MPI itself must be linked with this one
  std::string_view packages;  // Debian's packages to build the module with
  std::string_view launcher_package;  // Debian's package with its mpirun
};

inline constexpr std::array<library_entry, 7> known_libraries = {{
    {.id = library_kind::open_mpi,
     .name = "openmpi",
     .display_name = "Open MPI",
     .serves = "mpi, mpi-rma",
     .is_mpi = true,
     .mpi = library_kind::open_mpi,
     .packages = "libopenmpi-dev openmpi-bin",
     .launcher_package = "openmpi-bin"},
    {.id = library_kind::mpich,
     .name = "mpich",
     .display_name = "MPICH",
     .serves = "mpi, mpi-rma",
     .is_mpi = true,
     .mpi = library_kind::mpich,
     .packages = "libmpich-dev mpich",
     .launcher_package = "mpich"},
    {.id = library_kind::openshmem,  // Open MPI's
     .name = "shmem",
     .display_name = "OpenSHMEM",
     .serves = "",
     .is_mpi = false,
     .mpi = library_kind::open_mpi,
     .packages = "libopenmpi-dev openmpi-bin",
     .launcher_package = "openmpi-bin"},
    {.id = library_kind::hwloc,
     .name = "hwloc",
     .display_name = "hwloc",
     .serves = "binds PEs",
     .is_mpi = false,
     .mpi = library_kind::open_mpi,
     .packages = "libhwloc-dev",
     .launcher_package = ""},
    {.id = library_kind::metis,
     .name = "metis",
     .display_name = "METIS",
     .serves = "places actors",
     .is_mpi = false,
     .mpi = library_kind::open_mpi,
     .packages = "libmetis-dev",
     .launcher_package = ""},
    {.id = library_kind::scotch,
     .name = "scotch",
     .display_name = "Scotch",
     .serves = "places actors",
     .is_mpi = false,
     .mpi = library_kind::open_mpi,
     .packages = "libscotch-dev",
     .launcher_package = ""},
    {.id = library_kind::other_mpi,
     .name = "",
     .display_name = "another MPI",
     .serves = "",
     .is_mpi = false,
     .mpi = library_kind::open_mpi,
     .packages = "",
     .launcher_package = ""},
}};

constexpr const library_entry& entry_of(library_kind library) noexcept {
  return internal::entry_of(known_libraries, library);
}

/// The names of the MPI libraries, for a message: "openmpi or mpich".
inline std::string choice_of_mpi() {
  return internal::choice_of(known_libraries,
                             [](const library_entry& e) { return e.is_mpi ? e.name : std::string_view(); });
}

/// The MPI library of that name; null if there is none.
constexpr const library_entry* find_mpi(std::string_view name) noexcept {
  const library_entry* found = internal::find_named(known_libraries, name);
  return found != nullptr && found->is_mpi ? found : nullptr;
}

}  // namespace shoal
