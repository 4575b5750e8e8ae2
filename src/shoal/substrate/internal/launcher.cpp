#include "shoal/substrate/internal/launcher.hpp"

#include <algorithm>
#include <climits>
#include <optional>

#include "shoal/base/internal/environment.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal {
namespace {

// The variables in which a launcher tells a process how many it started, and which of them this one is.
struct launcher_variables {
  const char* n_pes;
  const char* pe;
  const char* name;
  std::optional<library_kind> library;
};

constexpr launcher_variables of_shoalrun = {"SHOAL_PES", "SHOAL_PE", "shoalrun", {}};
constexpr launcher_variables of_open_mpi = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun",
                                            library_kind::open_mpi};
constexpr launcher_variables of_pmi = {"PMI_SIZE", "PMI_RANK", "MPICH's mpirun", library_kind::mpich};
constexpr launcher_variables of_slurm = {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun", {}};

bool is_set(const char* variable) noexcept { return environment_text(variable) != nullptr; }

// A batch script and an interactive shell also have SLURM_PROCID, but no step, or one of Slurm's own. Slurm's own steps
// have the highest numbers (a batch script 4294967291).
bool is_slurm_step() noexcept {
  constexpr std::int64_t first_of_its_own = 0xfffffff0;
  const std::int64_t step = environment_number("SLURM_STEP_ID");
  return step >= 0 && step < first_of_its_own;
}

bool is_told(const launcher_variables& l) noexcept { return is_set(l.n_pes) && is_set(l.pe); }

// srun --mpi=pmi2 sets PMI's variables for its tasks; mpirun within a step sets them for other processes.
bool are_of_the_step(const launcher_variables& l) noexcept {
  return is_slurm_step() && environment_number(l.n_pes) == environment_number(of_slurm.n_pes) &&
         environment_number(l.pe) == environment_number(of_slurm.pe);
}

// The order matters, since one launcher may have started another. Null: started alone.
const launcher_variables* our_launcher() noexcept {
  if (is_set("SHOAL_JOB_FD")) return &of_shoalrun;
  for (const launcher_variables* l : {&of_open_mpi, &of_pmi}) {
    if (is_told(*l)) return are_of_the_step(*l) ? &of_slurm : l;
  }
  return is_told(of_slurm) && is_slurm_step() ? &of_slurm : nullptr;
}

}  // namespace

launch_facts launch_facts_from_environment() {
  const launcher_variables* const l = our_launcher();
  if (l == nullptr) return {};
  launch_facts facts{.name = l->name, .n_pes = 0, .pe = 0, .library = l->library};
  if (const char* text = environment_text(l->n_pes)) facts.n_pes = parse_integer(text, l->n_pes, 1, INT32_MAX);
  if (const char* text = environment_text(l->pe)) {
    facts.pe = parse_integer(text, l->pe, 0, std::max<std::int64_t>(facts.n_pes - 1, 0));
  }
  if (l == &of_slurm) {
    facts.is_slurm = true;
    // Open MPI's processes find each other through PMIx, MPICH's through PMI. Some builds of Open MPI can use PMI if
    // this variable names their component for it.
    const bool is_open_mpi = is_set("PMIX_RANK") || is_set("OMPI_MCA_pmix");
    facts.library = is_open_mpi ? library_kind::open_mpi : library_kind::mpich;
  }
  return facts;
}

int job_fd_from_environment() noexcept {
  const std::int64_t fd = environment_number("SHOAL_JOB_FD");
  return fd <= INT_MAX ? static_cast<int>(fd) : -1;
}

pe_id job_pe_from_environment() noexcept {
  return static_cast<pe_id>(std::clamp<std::int64_t>(environment_number(of_shoalrun.pe), 0, INT_MAX));
}

std::int64_t launcher_rank_from_environment() noexcept {
  const launcher_variables* const l = our_launcher();
  return l == nullptr || l == &of_shoalrun ? -1 : environment_number(l->pe);
}

std::int64_t launched_pes_from_environment() noexcept {
  const launcher_variables* const l = our_launcher();
  if (l == nullptr || l == &of_shoalrun) return 0;
  const std::int64_t n_pes = std::max<std::int64_t>(0, environment_number(l->n_pes));
  return l == &of_slurm && n_pes == 1 ? 0 : n_pes;
}

int launched_processes_here() {
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    if (const std::int64_t n = environment_number(variable); n > 0) return static_cast<int>(n);
  }
  if (our_launcher() != &of_slurm) return 1;
  const std::int64_t n_nodes = std::max<std::int64_t>(1, environment_number("SLURM_STEP_NUM_NODES"));
  // Evenly distributed, srun's default.
  return static_cast<int>((environment_number(of_slurm.n_pes) + n_nodes - 1) / n_nodes);
}

}  // namespace shoal::internal
