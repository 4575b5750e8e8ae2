// `shoal bench`, `network-bench` and `study`: a Python program that is installed beside this one, and starts it for each job.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "tools/cli/commands.hpp"

namespace shoal::cli {

namespace fs = std::filesystem;

void run_bench(const std::string& verb, const std::vector<std::string>& words) {
  if (internal::settings_from_environment().job_fd.value >= 0 || internal::launched_pes_from_environment() > 0) {
    throw setup_error(verb + " starts its jobs by itself; run it without shoalrun, mpirun and srun");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe");
  // An archive; in the build tree a folder.
  const fs::path bench = (program.parent_path() / SHOAL_BENCH).lexically_normal();
  if (!fs::exists(bench)) {
    throw setup_error(verb + " is not installed: there is no " + bench.string() + "; install Shoal again");
  }
  // -B: an installation gets no compiled files.
  std::vector<std::string> command = {"python3", "-B", bench.string(), program.string(), verb};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  throw setup_error(verb + " needs python3, which cannot be started (" + std::strerror(errno) +
                    "); install it (Debian: python3) or put its folder into PATH");
}

}  // namespace shoal::cli
