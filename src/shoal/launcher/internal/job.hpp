/// The processes of a job and what they share, as the supervisor sees them.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/launcher/internal/launch.hpp"
#include "shoal/launcher/internal/start_pe.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"

namespace shoal::internal::launcher {

struct pe_process {
  pid_t pid = -1;
  bool is_alive = false;
};

struct job {
  std::vector<pe_process> pes;
  pid_t tagger = -1;  // the process that tags output, or -1
  descriptor tagger_until;  // once this is closed, the tagger waits for no more output
  pipe_ends exec_errors;  // exec_error from PEs that could not execute their program; nonblocking

  descriptor memory;
  local::job_page* page = nullptr;  // lives as long as the process

  /// Raises the soft limit on open files, but not for the PEs: tagging keeps two pipes per PE open, which for 256 PEs
  /// exceeds the usual limit.
  void raise_descriptor_limit();

  /// Starts all PEs. Throws setup_error if that fails; `pes` then holds those that were started.
  void start(const launch_options& options, const std::vector<std::string>& command, const sigset_t& pe_signals);

  int n_alive() const noexcept;
  bool is_alive(std::int32_t pe) const noexcept;

  /// Every living process that the job has started. Searches /proc.
  std::vector<pid_t> processes() const;

private:
  rlimit descriptor_limit_ = {};  // as it was; the PEs get it

  void create_memory(int n_pes);
  void start_pes(const pe_recipe& recipe, int n_pes, bool tag);
};

}  // namespace shoal::internal::launcher
