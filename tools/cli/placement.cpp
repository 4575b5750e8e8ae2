#include "tools/cli/placement.hpp"

#include <algorithm>
#include <filesystem>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/internal/cores.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/launcher/internal/launch.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "tools/cli/mpi_launcher.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

std::int64_t parse_pes(const std::string& text, substrate_kind substrate) {
  const std::int64_t limit = entry_of(substrate).n_pes_max;
  try {
    return parse_integer(text, "--pes", 1, limit);
  } catch (const setup_error& e) {
    if (limit == n_pes_max) throw;
    throw setup_error(std::string(e.what()) + " (substrate " + std::string(name_of(substrate)) + "; sim takes more)");
  }
}

// `launcher` has started this process and others: the user's request must match what there is.
void check_pes(const std::string& pes, substrate_kind substrate, std::int64_t n_started, const std::string& launcher) {
  if (pes.empty() || parse_pes(pes, substrate) == n_started) return;
  throw setup_error("--pes=" + pes + ", but " + launcher + " started " + std::to_string(n_started) +
                    (n_started == 1 ? " PE" : " PEs") + "; leave --pes out");
}

// This process is already a PE of shoalrun.
void check_pe_of_shoalrun(const settings& chosen, const std::string& pes) {
  const substrate_kind substrate = *chosen.substrate.value;
  if (substrate != substrate_kind::local) {
    throw setup_error(
        "substrate " + std::string(name_of(substrate)) +
        (is_network(substrate) ? " starts its PEs by its own launcher" : " has all its PEs in one process") +
        ", but shoalrun started several processes; run shoal without shoalrun");
  }
  check_pes(pes, substrate, chosen.n_pes.value, "shoalrun");
}

// This process is one of those that `launcher`, mpirun or srun, has started.
void check_process_of(const std::string& launcher, const settings& chosen, const std::string& pes,
                      std::int64_t n_started) {
  const substrate_kind substrate = *chosen.substrate.value;
  if (!is_network(substrate)) {
    throw setup_error("substrate " + std::string(name_of(substrate)) + " starts its PEs by itself, but " + launcher +
                      " started " + std::to_string(n_started) + (n_started == 1 ? " process" : " processes") +
                      "; run shoal without " + launcher + ", or choose --substrate mpi, mpi-rma or shmem");
  }
  check_pes(pes, substrate, n_started, launcher);
}

std::vector<std::string> this_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// The library whose launcher starts the PEs; empty: whichever has a launcher. Each PE would refuse a library without a
// module, after all that its launcher says about a process that failed.
std::optional<library_kind> library_with_module(const settings& chosen) {
  const std::string& folder = chosen.modules.value;
  const std::optional<library_kind> asked = chosen.mpi_library.value;
  if (chosen.substrate.value == substrate_kind::shmem) {
    network::require_module(library_kind::openshmem, folder);
    return asked;
  }
  std::vector<library_kind> built;
  for (const network::module_place& place : network::find_modules(folder)) {
    if (entry_of(place.library).is_mpi && !place.file.empty()) built.push_back(place.library);
  }
  if (asked || built.empty()) network::require_module(asked.value_or(library_kind::open_mpi), folder);
  return !asked && built.size() == 1 ? built.front() : asked;
}

}  // namespace

std::string substrate_names() {
  return choice_of(known_substrates, [](const substrate_entry& e) {
    return std::string(e.name) + (e.gloss.empty() ? "" : " (" + std::string(e.gloss) + ")");
  });
}

substrate_kind parse_substrate(std::string_view text) {
  if (const substrate_entry* const found = find_named(known_substrates, text)) return found->id;
  throw setup_error("unknown substrate '" + std::string(text) + "'; choose " + substrate_names());
}

placement place(const placement_request& asked) {
  placement where{.chosen = settings_from_environment()};
  settings& chosen = where.chosen;
  const std::int64_t n_started = launched_pes_from_environment();
  const std::string launcher = chosen.launched.is_slurm ? "srun" : "mpirun";
  if (asked.substrate) chosen.substrate = {asked.substrate, "--substrate"};
  if (!chosen.substrate.value) {
    const bool is_of_launcher = chosen.job_fd.value < 0 && n_started > 0;
    chosen.substrate.value = is_of_launcher ? substrate_kind::mpi : substrate_kind::local;
    chosen.substrate.origin = is_of_launcher ? launcher : "default";
  }
  const substrate_kind substrate = *chosen.substrate.value;
  if (asked.mpi) {
    chosen.mpi_library = {asked.mpi, "--mpi"};
    if (!is_network(substrate)) {
      throw setup_error("--mpi=" + std::string(entry_of(*asked.mpi).name) +
                        " chooses the library of substrates mpi and mpi-rma, not of " +
                        std::string(name_of(substrate)) + "; leave it out, or add --substrate mpi");
    }
  }
  if (chosen.job_fd.value >= 0) {
    check_pe_of_shoalrun(chosen, asked.pes);
    return where;
  }
  if (n_started > 0) {
    check_process_of(launcher, chosen, asked.pes, n_started);
    chosen.n_pes = {n_started, launcher};
    return where;
  }
  if (!asked.pes.empty()) {
    chosen.n_pes = {parse_pes(asked.pes, substrate), "--pes"};
  } else if (chosen.launched.is_only_task()) {
    chosen.n_pes = {1, launcher};
  } else if (chosen.n_pes.origin == "default") {
    chosen.n_pes = {std::min(allowed_cores(), local::max_pes), "one per allowed core"};
  }
  where.must_launch = entry_of(substrate).pes == pe_form::process;
  return where;
}

int launch_again(const placement& where, const std::vector<std::string>& arguments) {
  const settings& chosen = where.chosen;
  const substrate_kind substrate = *chosen.substrate.value;
  const std::vector<std::string> command = this_command(arguments);
  if (is_network(substrate)) {
    const mpi_launcher launcher = find_launcher(substrate, library_with_module(chosen), search_in_path());
    return run_command(launcher_command(launcher, chosen.n_pes.value, command),
                       {"SHOAL_SUBSTRATE=" + std::string(name_of(substrate)),
                        "SHOAL_MPI=" + std::string(entry_of(launcher.library).name)});
  }
  launcher::launch_options options;
  options.n_pes = static_cast<int>(chosen.n_pes.value);
  options.name = "shoal";
  if (!chosen.binds.value) options.bind = launcher::binding::none;
  return launcher::launch(options, command);
}

}  // namespace shoal::cli
