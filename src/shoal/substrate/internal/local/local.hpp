/// Starts PEs on the `local` substrate.
#pragma once

#include <memory>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace shoal::internal::local {

/// Makes this process a PE of a job that shoalrun started, or the only PE of its own. Collective. Throws setup_error.
std::unique_ptr<process_pe> start_process(const settings& chosen);

/// Runs all PEs of a job as threads of this process, with the same code: for ThreadSanitizer and debuggers.
int run_threads(const settings& chosen, const pe_body& body);

/// True for the first PE of a job that calls it: it may print the job's only report. For faults found before there is a
/// substrate. `job_fd` is the descriptor from the launcher.
bool claim_report(int job_fd, pe_id pe) noexcept;

}  // namespace shoal::internal::local
