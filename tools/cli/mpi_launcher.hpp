/// Starts processes with the launcher of a communication library: mpirun, oshrun.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

/// Parses a value of --mpi. Throws setup_error.
library_kind parse_mpi(std::string_view text);

/// A launcher and its library.
struct mpi_launcher {
  std::string program;  // name or path
  library_kind library;
};

/// The launchers to choose from: where the shell finds a program (empty: nowhere), and the MPI library of the program
/// at that path (empty: none that Shoal knows).
struct launcher_search {
  std::function<std::string(const std::string& name)> path_of;
  std::function<std::optional<library_kind>(const std::string& path)> library_of;
};

/// The search in PATH. Plain `mpirun` may belong to either library, so it is asked for its version.
launcher_search search_in_path();

/// The launcher for a network substrate and an MPI library. Without a library: Open MPI's if it is installed, else
/// MPICH's. Throws setup_error with what is missing.
mpi_launcher find_launcher(substrate_kind substrate, std::optional<library_kind> library, const launcher_search& where);

/// The command line that starts `command` on `n_pes` processes. PEs bind themselves to cores, and there may be more of
/// them than cores.
std::vector<std::string> launcher_command(const mpi_launcher& launcher, std::int64_t n_pes,
                                          const std::vector<std::string>& command);

/// Runs `command` with an empty input and with `variables` ("NAME=value") added to this environment. Returns its exit
/// status, or 128 + the number of the signal that ended it. If this program ends, so does the command. Waits.
int run_command(const std::vector<std::string>& command, const std::vector<std::string>& variables);

}  // namespace shoal::cli
