#include "shoal/substrate/internal/network/loaded_libraries.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace shoal::internal::network {

std::optional<library_kind> loaded_mpi() {
  if (dlsym(RTLD_DEFAULT, "MPI_Init") == nullptr) return std::nullopt;
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr) return library_kind::open_mpi;
  // Legal before MPI_Init, like MPI_Initialized and MPI_Finalized.
  using get_version = int (*)(char*, int*);
  const auto ask = reinterpret_cast<get_version>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (ask == nullptr) return library_kind::other_mpi;
  constexpr std::size_t longest_version = 8192;  // MPICH's; others' are shorter
  std::vector<char> text(longest_version + 1);
  int length = 0;
  ask(text.data(), &length);
  const std::string_view version(text.data());
  for (const std::string_view relative : {"MPICH", "MVAPICH", "Intel(R) MPI"}) {
    if (version.find(relative) != version.npos) return library_kind::mpich;
  }
  return library_kind::other_mpi;
}

bool is_shmem_loaded() { return dlsym(RTLD_DEFAULT, "shmem_init") != nullptr; }

}  // namespace shoal::internal::network
