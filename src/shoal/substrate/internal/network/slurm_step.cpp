#include "shoal/substrate/internal/network/slurm_step.hpp"

#include <string>

#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/network/loaded_libraries.hpp"
#include "shoal/substrate/internal/network/module.hpp"

namespace shoal::internal::network {

library_kind library_of_step(const settings& chosen) {
  const library_kind wanted = *chosen.launched.library;
  const library_kind other = wanted == library_kind::mpich ? library_kind::open_mpi : library_kind::mpich;
  const auto has_module = [&](library_kind of) { return !find_module(of, chosen.modules.value).file.empty(); };
  return !has_module(wanted) && has_module(other) ? other : wanted;
}

void check_step(const settings& chosen, library_kind library) {
  const launch_facts& launched = chosen.launched;
  if (!launched.is_slurm || launched.library == library_kind::open_mpi || library == library_kind::mpich) return;
  if (loaded_mpi()) return;  // the program's own MPI, which may have begun already
  throw setup_error(std::string(entry_of(library).display_name) +
                    " needs PMIx, and srun started the program without it; start it with srun " + "--mpi=pmix" +
                    (!entry_of(library).is_mpi ? "" : ", or with srun --mpi=pmi2 and SHOAL_MPI=mpich") +
                    "; or, if this Open MPI was built for Slurm's own PMI, set OMPI_MCA_pmix=s2 or s1");
}

bool may_outlive_dead(const settings& chosen, library_kind library) {
  return chosen.launched.is_slurm && library == library_kind::mpich;
}

}  // namespace shoal::internal::network
