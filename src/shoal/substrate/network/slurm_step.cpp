#include "shoal/substrate/network/slurm_step.hpp"

#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/network/loaded_libraries.hpp"
#include "shoal/substrate/network/module.hpp"

namespace shoal::network {

std::string library_of_step(const settings& chosen) {
  const std::string& wanted = chosen.launched.library;
  const std::string other = wanted == "openmpi" ? "mpich" : "openmpi";
  const auto has_module = [&](const std::string& of) { return !find_module(of, chosen.modules.value).file.empty(); };
  return !has_module(wanted) && has_module(other) ? other : wanted;
}

void check_step(const settings& chosen, const std::string& library) {
  const launch_facts& launched = chosen.launched;
  if (!launched.is_slurm || launched.library == "openmpi" || library == "mpich") return;
  if (!loaded_mpi().empty()) return;  // the program's own, which may have begun already
  throw setup_error(display_name(library) + " needs PMIx, and srun started the program without; start it with srun " +
                    "--mpi=pmix" + (library == "shmem" ? "" : ", or with srun --mpi=pmi2 and SHOAL_MPI=mpich") +
                    "; or, if this Open MPI was built for Slurm's own PMI, set OMPI_MCA_pmix=s2 or s1");
}

bool may_outlive_dead(const settings& chosen, const std::string& library) {
  return chosen.launched.is_slurm && library == "mpich";
}

}  // namespace shoal::network
