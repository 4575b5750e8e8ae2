#include "tools/cli/placement.hpp"

#include <algorithm>
#include <filesystem>

#include "shoal/base/cores.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/local/job_page.hpp"
#include "shoal/substrate/local/launch.hpp"
#include "shoal/substrate/network/module.hpp"
#include "tools/cli/mpi_launcher.hpp"

namespace shoal::cli {
namespace {

// More than a machine of today could hold.
constexpr std::int64_t n_simulated_max = 1'000'000;
// More than a cluster of today could.
constexpr std::int64_t n_launched_max = 1'000'000;

std::int64_t parse_pes(const std::string& text, const std::string& substrate) {
  if (substrate == "sim") return parse_integer(text, "--pes", 1, n_simulated_max);
  if (is_network(substrate)) return parse_integer(text, "--pes", 1, n_launched_max);
  try {
    return parse_integer(text, "--pes", 1, local::max_pes);
  } catch (const setup_error& e) {
    throw setup_error(std::string(e.what()) + " (substrate " + substrate + "; sim takes more)");
  }
}

// `launcher` has started this process and others: what the user asks for must be what there is.
void check_pes(const std::string& pes, const std::string& substrate, std::int64_t n_started,
               const std::string& launcher) {
  if (pes.empty() || parse_pes(pes, substrate) == n_started) return;
  throw setup_error("--pes=" + pes + ", but " + launcher + " started " + std::to_string(n_started) +
                    (n_started == 1 ? " PE" : " PEs") + "; leave --pes out");
}

// This process is a PE of shoalrun already.
void check_pe_of_shoalrun(const settings& chosen, const std::string& pes) {
  const std::string& substrate = chosen.substrate.value;
  if (substrate != "local") {
    throw setup_error(
        "substrate " + substrate +
        (is_network(substrate) ? " starts its PEs by its own launcher" : " has all its PEs in one process") +
        ", but shoalrun started several processes; run shoal without shoalrun");
  }
  check_pes(pes, "local", chosen.n_pes.value, "shoalrun");
}

// This process is one of those that `launcher`, mpirun or srun, has started.
void check_process_of(const std::string& launcher, const settings& chosen, const std::string& pes,
                      std::int64_t n_started) {
  const std::string& substrate = chosen.substrate.value;
  if (!is_network(substrate)) {
    throw setup_error("substrate " + substrate + " starts its PEs by itself, but " + launcher + " started " +
                      std::to_string(n_started) + (n_started == 1 ? " process" : " processes") +
                      "; run shoal without " + launcher + ", or choose --substrate mpi, mpi-rma or shmem");
  }
  check_pes(pes, substrate, n_started, launcher);
}

std::vector<std::string> this_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// The library whose launcher is to start the PEs; empty: whichever has one. Each PE would refuse a library that there
// is no module for, behind all that its launcher says about a process that failed.
std::string library_with_module(const settings& chosen) {
  const std::string& folder = chosen.modules.value;
  const std::string& asked = chosen.mpi_library.value;
  if (chosen.substrate.value == "shmem") {
    network::require_module("shmem", folder);
    return asked;
  }
  std::vector<std::string> built;
  for (const network::module_place& place : network::find_modules(folder)) {
    if (place.library != "shmem" && !place.file.empty()) built.push_back(place.library);
  }
  if (!asked.empty() || built.empty()) network::require_module(asked.empty() ? "openmpi" : asked, folder);
  return asked.empty() && built.size() == 1 ? built.front() : asked;
}

}  // namespace

std::string parse_substrate(std::string_view text) {
  if (text == "local" || text == "threads" || text == "sim" || is_network(text)) return std::string(text);
  throw setup_error("unknown substrate '" + std::string(text) + "'; choose " + substrate_names);
}

bool is_network(std::string_view substrate) {
  return substrate == "mpi" || substrate == "mpi-rma" || substrate == "shmem";
}

placement place(const placement_request& asked) {
  placement where{.chosen = settings_from_environment()};
  settings& chosen = where.chosen;
  const std::int64_t n_started = launched_pes_from_environment();
  const std::string launcher = chosen.launched.is_slurm ? "srun" : "mpirun";
  if (!asked.substrate.empty()) chosen.substrate = {asked.substrate, "--substrate"};
  if (chosen.substrate.value.empty()) {
    const bool is_of_launcher = chosen.job_fd.value < 0 && n_started > 0;
    chosen.substrate =
        is_of_launcher ? setting<std::string>{"mpi", launcher} : setting<std::string>{"local", "default"};
  }
  const std::string substrate = parse_substrate(chosen.substrate.value);
  if (!asked.mpi.empty()) {
    chosen.mpi_library = {parse_mpi(asked.mpi), "--mpi"};
    if (!is_network(substrate)) {
      throw setup_error("--mpi=" + asked.mpi + " chooses the library of substrates mpi and mpi-rma, not of " +
                        substrate + "; leave it out, or add --substrate mpi");
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
  where.must_launch = substrate == "local" || is_network(substrate);
  return where;
}

int launch_again(const placement& where, const std::vector<std::string>& arguments) {
  const settings& chosen = where.chosen;
  const std::string& substrate = chosen.substrate.value;
  const std::vector<std::string> command = this_command(arguments);
  if (is_network(substrate)) {
    const mpi_launcher launcher = find_launcher(substrate, library_with_module(chosen), search_in_path());
    return run_command(launcher_command(launcher, chosen.n_pes.value, command),
                       {"SHOAL_SUBSTRATE=" + substrate, "SHOAL_MPI=" + launcher.library});
  }
  local::launch_options options;
  options.n_pes = static_cast<int>(chosen.n_pes.value);
  options.name = "shoal";
  return local::launch(options, command);
}

}  // namespace shoal::cli
