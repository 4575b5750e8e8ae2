/// Starting processes by the program that a communication library brings for it: mpirun, oshrun.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::cli {

/// Checks a value of --mpi. Throws setup_error.
std::string parse_mpi(std::string_view text);

/// Such a program, and whose it is.
struct mpi_launcher {
  std::string program;  // its name, or its path
  std::string library;  // openmpi or mpich
};

/// What there is to choose from: where the shell finds a program (empty: nowhere), and which library the program at
/// that place belongs to, openmpi or mpich (empty: neither).
struct launcher_search {
  std::function<std::string(const std::string& name)> path_of;
  std::function<std::string(const std::string& path)> library_of;
};

/// The search in PATH; plain `mpirun` may be of either library, so it is asked for its version.
launcher_search search_in_path();

/// The launcher for a substrate (mpi, mpi-rma, shmem) and a library, openmpi or mpich; empty: Open MPI's if it is
/// there, else MPICH's. Throws setup_error with what is missing.
mpi_launcher find_launcher(const std::string& substrate, const std::string& library, const launcher_search& where);

/// The command line that starts `command` on `n_pes` processes. PEs bind themselves to cores, and there may be more
/// of them than cores.
std::vector<std::string> launcher_command(const mpi_launcher& launcher, std::int64_t n_pes,
                                          const std::vector<std::string>& command);

/// Runs `command` with `variables` ("NAME=value") in its environment, beside ours, and nothing to read, and returns
/// its exit status, 128 + the number of the signal that ended it. The program's end does not leave it behind. Waits.
int run_command(const std::vector<std::string>& command, const std::vector<std::string>& variables);

}  // namespace shoal::cli
