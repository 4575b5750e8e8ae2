#include "shoal/substrate/network/loaded_libraries.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace shoal::network {

std::string loaded_mpi() {
  if (dlsym(RTLD_DEFAULT, "MPI_Init") == nullptr) return "";
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr) return "openmpi";
  // The one call besides MPI_Initialized and MPI_Finalized that is allowed before MPI_Init.
  using get_version = int (*)(char*, int*);
  const auto ask = reinterpret_cast<get_version>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (ask == nullptr) return "other";
  constexpr std::size_t longest_version = 8192;  // MPICH's; others' are shorter
  std::vector<char> text(longest_version + 1);
  int length = 0;
  ask(text.data(), &length);
  const std::string_view version(text.data());
  for (const std::string_view relative : {"MPICH", "MVAPICH", "Intel(R) MPI"}) {
    if (version.find(relative) != version.npos) return "mpich";
  }
  return "other";
}

bool is_shmem_loaded() { return dlsym(RTLD_DEFAULT, "shmem_init") != nullptr; }

std::string display_name(const std::string& library) {
  if (library == "openmpi") return "Open MPI";
  if (library == "mpich") return "MPICH";
  if (library == "shmem") return "OpenSHMEM";
  return "another MPI";
}

}  // namespace shoal::network
