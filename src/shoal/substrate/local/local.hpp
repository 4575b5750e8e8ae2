/// Starting PEs on the `local` substrate.
#pragma once

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/run.hpp"

namespace shoal::local {

/// Runs this process as one PE of a job that shoalrun started, or alone as the only PE of its own.
int run_process(const settings& chosen, const pe_body& body);

/// Runs all PEs of a job as threads of this process, over the same code: for ThreadSanitizer, and for
/// debuggers.
int run_threads(const settings& chosen, const pe_body& body);

/// True for the first PE of a job that asks: it may print the job's one report. For faults that are found before there
/// is a substrate. `job_fd` is the descriptor from the launcher.
bool claim_report(int job_fd, pe_id pe) noexcept;

/// If `pe` was chosen for a debugger: says so, and stops this process until the debugger continues it.
void stop_for_debugger(const settings& chosen, pe_id pe);

}  // namespace shoal::local
