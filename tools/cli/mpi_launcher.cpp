#include "tools/cli/mpi_launcher.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "shoal/base/internal/environment.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

// The library that `program --version` names, if any.
std::optional<library_kind> library_of_program(const std::string& path) {
  const std::string asked = "'" + path + "' --version 2>/dev/null </dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(::popen(asked.c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 256> piece;
  while (out != nullptr && std::fgets(piece.data(), piece.size(), out.get()) != nullptr) text += piece.data();
  const auto says = [&](const char* word) { return text.find(word) != text.npos; };
  if (says("Open MPI") || says("OpenRTE")) return library_kind::open_mpi;
  if (says("HYDRA") || says("MPICH")) return library_kind::mpich;
  return std::nullopt;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Runs in the child, which must not outlive its parent: nothing else would end it.
[[noreturn]] void become(std::vector<char*> command, std::vector<char*> environment, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  const int no_input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);  // mpirun would read our standard input
  if (no_input >= 0) ::dup2(no_input, STDIN_FILENO);
  ::execvpe(command[0], command.data(), environment.data());
  std::fprintf(stderr, "shoal: cannot start %s (%s)\n", command[0], std::strerror(errno));
  ::_exit(2);
}

}  // namespace

library_kind parse_mpi(std::string_view text) {
  if (const library_entry* const found = find_mpi(text)) return found->id;
  throw setup_error("--mpi=" + std::string(text) + " is no MPI library that Shoal knows; choose " + choice_of_mpi());
}

launcher_search search_in_path() { return {.path_of = program_in_path, .library_of = library_of_program}; }

mpi_launcher find_launcher(substrate_kind substrate, std::optional<library_kind> library,
                           const launcher_search& where) {
  const bool is_shmem = substrate == substrate_kind::shmem;
  if (is_shmem && library == library_kind::mpich) {
    throw setup_error(
        "substrate shmem is Open MPI's OpenSHMEM, so mpich cannot start it; leave --mpi and SHOAL_MPI "
        "out");
  }
  std::vector<library_kind> libraries = {library_kind::open_mpi};
  if (!is_shmem) libraries.push_back(library_kind::mpich);
  if (library) libraries = {*library};
  std::string looked_for;
  for (const library_kind wanted : libraries) {
    const std::string special = "mpirun." + std::string(entry_of(wanted).name);
    if (!where.path_of(special).empty()) return {special, wanted};
    looked_for += special + ", ";
    if (is_shmem && !where.path_of("oshrun").empty()) return {"oshrun", wanted};
  }
  if (is_shmem) looked_for += "oshrun, ";
  const std::string plain = where.path_of("mpirun");
  const std::optional<library_kind> whose = plain.empty() ? std::nullopt : where.library_of(plain);
  for (const library_kind wanted : libraries) {
    if (whose == wanted) return {"mpirun", wanted};
  }
  const library_entry& first = entry_of(libraries.front());
  throw setup_error("substrate " + std::string(name_of(substrate)) + " is started by " + looked_for + "or mpirun" +
                    (libraries.size() == 1 ? " of " + std::string(first.display_name) : "") +
                    ", and none of them is in PATH; install " + std::string(first.launcher_package) +
                    " (Debian's name), or choose --substrate local");
}

std::vector<std::string> launcher_command(const mpi_launcher& launcher, std::int64_t n_pes,
                                          const std::vector<std::string>& command) {
  std::vector<std::string> words = {launcher.program, "-n", std::to_string(n_pes)};
  if (launcher.library == library_kind::open_mpi) {
    // MPICH does all this by itself.
    words.insert(words.end(), {"--oversubscribe", "--bind-to", "none", "-x", "SHOAL_SUBSTRATE", "-x", "SHOAL_MPI"});
  }
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

int run_command(const std::vector<std::string>& command, const std::vector<std::string>& variables) {
  std::vector<std::string> words = command;
  std::vector<std::string> environment = variables;
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    bool is_replaced = false;
    for (const std::string& ours : variables) {
      is_replaced = is_replaced || text.starts_with(std::string_view(ours).substr(0, ours.find('=') + 1));
    }
    if (!is_replaced) environment.emplace_back(text);
  }
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw setup_error(std::string("cannot start a process (") + std::strerror(errno) + ")");
  if (child == 0) become(pointers_to(words), pointers_to(environment), self);
  // Ctrl-C goes to both processes, and the launcher knows better which to end; we report its status.
  const auto before = std::signal(SIGINT, SIG_IGN);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, before);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace shoal::cli
