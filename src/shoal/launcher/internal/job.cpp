#include "shoal/launcher/internal/job.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "shoal/base/internal/cores.hpp"
#include "shoal/base/internal/environment.hpp"
#include "shoal/base/internal/life_lock.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/launcher/internal/process_tree.hpp"
#include "shoal/launcher/internal/tagged_output.hpp"

namespace shoal::internal::launcher {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) {
  const int error = errno;
  throw setup_error("cannot " + what + ": " + std::strerror(error) + (hint.empty() ? descriptor_advice(error) : hint));
}

// What PEs will make of SHOAL_WORKERS if it is wrong, they say themselves.
int choose_n_workers(const launch_options& options) {
  const std::int64_t n = options.n_workers != 0 ? options.n_workers : environment_number(local::variable::n_workers);
  return static_cast<int>(std::clamp<std::int64_t>(n, 1, max_workers));
}

int choose_n_pes(const launch_options& options, int n_workers, int n_cores) {
  const int n_pes = options.n_pes != 0 ? options.n_pes : std::clamp(n_cores / n_workers, 1, local::max_pes);
  if (n_pes < 0 || n_pes > local::max_pes) {
    throw setup_error("cannot start " + std::to_string(n_pes) + " PEs; take 1 to " + std::to_string(local::max_pes));
  }
  if (options.bind == binding::core && n_pes * n_workers > n_cores) {
    const std::string of_workers = n_workers == 1 ? "" : " with " + std::to_string(n_workers) + " workers each";
    throw setup_error("--bind core: " + std::to_string(n_pes) + " PEs" + of_workers + " are too many for the " +
                      std::to_string(n_cores) + (n_cores == 1 ? " core" : " cores") +
                      " that this job may use; take at most that many, or --bind none");
  }
  if (options.debug_pe >= n_pes) {
    throw setup_error("--debug " + std::to_string(options.debug_pe) + ": there is no such PE; take 0" +
                      (n_pes == 1 ? "" : " to " + std::to_string(n_pes - 1)));
  }
  return n_pes;
}

struct output_pipes {
  pipe_ends out;
  pipe_ends err;
};

output_pipes make_output_pipes(int pe) {
  output_pipes pipes{pipe_ends::make(), pipe_ends::make()};
  if (!pipes.out.read.is_open() || !pipes.err.read.is_open()) {
    refuse("open pipes for the output of PE " + std::to_string(pe),
           "; take fewer PEs, raise ulimit -n or leave out --tag");
  }
  return pipes;
}

}  // namespace

void job::raise_descriptor_limit() {
  ::getrlimit(RLIMIT_NOFILE, &descriptor_limit_);
  rlimit raised = descriptor_limit_;
  raised.rlim_cur = raised.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &raised);
}

void job::start(const launch_options& options, const std::vector<std::string>& command, const sigset_t& pe_signals) {
  const int n_cores = allowed_cores();
  const int n_workers = choose_n_workers(options);
  const int n_pes = choose_n_pes(options, n_workers, n_cores);
  create_memory(n_pes);

  pe_recipe recipe;
  recipe.command = command;
  recipe.job_fd = memory.get();
  recipe.signal_mask = pe_signals;
  recipe.environment = job_environment(options, n_pes, n_cores, memory.get());
  recipe.descriptor_limit = descriptor_limit_;
  recipe.n_workers = n_workers;
  if (options.bind != binding::none && n_pes * n_workers <= n_cores) recipe.cpus = choose_cpus(n_pes * n_workers);

  exec_errors = pipe_ends::make();
  if (!exec_errors.read.is_open()) refuse("open a pipe");
  ::fcntl(exec_errors.read.get(), F_SETFL, O_NONBLOCK);
  start_pes(recipe, n_pes, options.tag);
}

void job::create_memory(int n_pes) {
  memory = descriptor(::memfd_create("shoal-job", MFD_CLOEXEC));
  if (!memory.is_open()) refuse("create the job's shared memory");
  // Scripts use small descriptors by number. They would close the job's memory before the program that they start sees
  // it.
  const int high = ::fcntl(memory.get(), F_DUPFD_CLOEXEC, 100);
  if (high >= 0) memory = descriptor(high);
  void* mapped = MAP_FAILED;
  if (::ftruncate(memory.get(), local::job_page_bytes) == 0) {
    mapped = ::mmap(nullptr, local::job_page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  }
  if (mapped == MAP_FAILED) refuse("create the job's shared memory");
  hold_life_lock(memory.get(), local::launcher_lock);
  page = new (mapped) local::job_page;
  page->n_pes = n_pes;
}

void job::start_pes(const pe_recipe& recipe, int n_pes, bool tag) {
  std::vector<tagged_stream> streams;
  for (int pe = 0; pe < n_pes; ++pe) {
    output_pipes pipes = tag ? make_output_pipes(pe) : output_pipes{};
    const pid_t pid = start_pe(recipe, pe, {pipes.out.write.get(), pipes.err.write.get()}, exec_errors.write.get());
    if (pid < 0) {
      refuse("start PE " + std::to_string(pe) + " of " + std::to_string(n_pes),
             "; take fewer PEs, or raise the limit on processes (ulimit -u)");
    }
    pes.push_back({pid, true});
    if (!tag) continue;
    std::string prefix("[");
    prefix.append(std::to_string(pe)).append("] ");
    streams.push_back({std::move(pipes.out.read), STDOUT_FILENO, prefix, {}});
    streams.push_back({std::move(pipes.err.read), STDERR_FILENO, prefix, {}});
  }
  if (!tag) return;

  pipe_ends until = pipe_ends::make();
  tagger = until.read.is_open() ? ::fork() : -1;
  if (tagger < 0) refuse("start the process that tags output", "; leave out --tag");
  if (tagger == 0) {
    until.write.close();
    tag_lines(std::move(streams), std::move(until.read));
    ::_exit(0);
  }
  tagger_until = std::move(until.write);
}

int job::n_alive() const noexcept { return static_cast<int>(std::ranges::count_if(pes, &pe_process::is_alive)); }

bool job::is_alive(std::int32_t pe) const noexcept {
  return pe >= 0 && static_cast<std::size_t>(pe) < pes.size() && pes[static_cast<std::size_t>(pe)].is_alive;
}

std::vector<pid_t> job::processes() const {
  std::vector<pid_t> found = living_descendants();
  std::erase(found, tagger);
  // Without /proc, at least the PEs are known.
  for (const pe_process& pe : pes) {
    if (pe.is_alive && std::ranges::find(found, pe.pid) == found.end()) found.push_back(pe.pid);
  }
  return found;
}

}  // namespace shoal::internal::launcher
