/// Starting PEs on the `local` substrate.
#pragma once

#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::local {

/// Runs this process as one PE of a job that shoalrun started, or alone as the only PE of its own.
int run_process(const settings& chosen, const pe_body& body);

/// Runs all PEs of a job as threads of this process, over the same code: for ThreadSanitizer, and for
/// debuggers.
int run_threads(const settings& chosen, const pe_body& body);

}  // namespace shoal::local
