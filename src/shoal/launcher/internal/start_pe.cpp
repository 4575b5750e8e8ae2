#include "shoal/launcher/internal/start_pe.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "shoal/base/internal/cores.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"

namespace shoal::internal::launcher {
namespace {

namespace variable = local::variable;

void redirect(const pe_recipe& recipe, int pe, pe_output output) {
  if (pe != 0) {
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing.is_open()) ::dup2(nothing.get(), STDIN_FILENO);
  }
  if (output.out >= 0) ::dup2(output.out, STDOUT_FILENO);
  if (output.err >= 0) ::dup2(output.err, STDERR_FILENO);
  ::fcntl(recipe.job_fd, F_SETFD, 0);
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& s : strings) pointers.push_back(s.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Runs in the child. The PEs stay in the launcher's process group: so the terminal treats the job as one unit (Ctrl-C,
// Ctrl-Z), and PE 0 may read from it.
[[noreturn]] void become_pe(pe_recipe recipe, int pe, pe_output output, int exec_errors, pid_t supervisor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(1);  // it died before prctl took effect
  redirect(recipe, pe, output);
  if (!recipe.cpus.empty()) {
    bind_to_cpus(cpus_of_pe(recipe.cpus, static_cast<std::size_t>(pe), static_cast<std::size_t>(recipe.n_workers)));
  }
  ::setrlimit(RLIMIT_NOFILE, &recipe.descriptor_limit);
  ::sigprocmask(SIG_SETMASK, &recipe.signal_mask, nullptr);
  recipe.environment.push_back(variable::pe + ("=" + std::to_string(pe)));
  ::execvpe(recipe.command[0].c_str(), pointers_to(recipe.command).data(), pointers_to(recipe.environment).data());
  const exec_error failure{pe, errno};
  [[maybe_unused]] const ssize_t told = ::write(exec_errors, &failure, sizeof failure);
  ::_exit(127);
}

bool is_variable(std::string_view entry, std::string_view name) {
  return entry.starts_with(name) && entry.substr(name.size()).starts_with('=');
}

// Whether PEs must not inherit a variable of the caller's environment.
bool is_dropped(std::string_view entry, const launch_options& options, bool is_nested) {
  for (const char* name : {variable::pe, variable::n_pes, variable::job_fd, variable::launcher, variable::n_cores}) {
    if (is_variable(entry, name)) return true;
  }
  if (is_variable(entry, variable::heap)) return !options.heap.empty();
  if (is_variable(entry, variable::n_workers)) return options.n_workers != 0;
  // Within another job it names the PE of that job that stops for a debugger.
  if (is_variable(entry, variable::debug_pe)) return is_nested || options.debug_pe >= 0;
  return false;
}

}  // namespace

pid_t start_pe(const pe_recipe& recipe, int pe, pe_output output, int exec_errors) {
  const pid_t supervisor = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become_pe(recipe, pe, output, exec_errors, supervisor);
  return child;
}

std::vector<std::string> job_environment(const launch_options& options, int n_pes, int n_cores, int job_fd) {
  std::vector<std::string> environment;
  for (char** entry = ::environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  const bool is_nested =
      std::ranges::any_of(environment, [](const std::string& entry) { return is_variable(entry, variable::launcher); });
  std::erase_if(environment, [&](const std::string& entry) { return is_dropped(entry, options, is_nested); });
  const auto set = [&](const char* name, const std::string& value) { environment.push_back(name + ("=" + value)); };
  set(variable::n_pes, std::to_string(n_pes));
  set(variable::job_fd, std::to_string(job_fd));
  set(variable::launcher, std::to_string(::getpid()));
  set(variable::n_cores, std::to_string(n_cores));
  if (!options.heap.empty()) set(variable::heap, options.heap);
  if (options.n_workers != 0) set(variable::n_workers, std::to_string(options.n_workers));
  if (options.debug_pe >= 0) set(variable::debug_pe, std::to_string(options.debug_pe));
  return environment;
}

std::vector<int> choose_cpus(int n) {
  // The kernel has just placed this process on a CPU with little load. Starting there keeps two small jobs that start
  // at once from sharing the first core while other cores idle.
  std::vector<int> cpus = cpus_for_pes(::sched_getcpu());
  cpus.resize(static_cast<std::size_t>(n));
  return cpus;
}

std::string explain_exec_error(const std::string& program, int error) {
  const bool has_slash = program.find('/') != program.npos;
  const bool is_there = ::access(program.c_str(), F_OK) == 0;
  std::string why = std::strerror(error);
  if (error == ENOENT && has_slash && is_there) {
    why = "the interpreter or the loader that it asks for is missing";
  } else if (error == ENOENT && !has_slash) {
    why = is_there ? "it is not in PATH; did you mean ./" + program + "?"
                   : "it is not in PATH; give a path such as ./" + program;
  } else if (error == ENOENT) {
    why = "there is no such file";
  } else if (error == EACCES) {
    struct stat file = {};
    const bool is_folder = ::stat(program.c_str(), &file) == 0 && S_ISDIR(file.st_mode);
    why = is_folder ? "it is a folder" : "it may not be executed; try chmod +x " + program;
  }
  return "cannot run '" + program + "': " + why;
}

}  // namespace shoal::internal::launcher
