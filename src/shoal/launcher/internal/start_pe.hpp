/// One PE of a job, from fork to exec.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/launcher/internal/launch.hpp"

namespace shoal::internal::launcher {

/// What all PEs of a job are started with.
struct pe_recipe {
  std::vector<std::string> command;
  std::vector<std::string> environment;  // all but SHOAL_PE
  std::vector<int> cpus;  // those of the workers of PE 0 first; empty if the kernel places them
  int n_workers = 1;  // of each PE
  int job_fd = -1;
  sigset_t signal_mask = {};
  rlimit descriptor_limit = {};
};

/// A PE that cannot execute its program writes this to a pipe.
struct exec_error {
  int pe = -1;
  int error = 0;
};

/// The descriptors for a PE's output; -1: the launcher's own.
struct pe_output {
  int out = -1;
  int err = -1;
};

/// Starts PE `pe` as a child of this process and returns its process id, or -1 with errno. If the child cannot execute
/// the program, it writes an exec_error to `exec_errors` before it ends.
pid_t start_pe(const pe_recipe& recipe, int pe, pe_output output, int exec_errors);

/// The caller's environment, plus the variables of job_page.hpp for a job, except SHOAL_PE.
std::vector<std::string> job_environment(const launch_options& options, int n_pes, int n_cores, int job_fd);

/// One CPU per worker of each PE: one hardware thread of every core before any second thread. Needs at least `n` CPUs in
/// the affinity mask.
std::vector<int> choose_cpus(int n);

/// Why `program` could not be executed, and what to try.
std::string explain_exec_error(const std::string& program, int error);

}  // namespace shoal::internal::launcher
