/// The `sim` substrate: the whole job as fibers of one thread, in virtual time, from a seed.
#pragma once

#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace shoal::internal::sim {

/// Runs `body` once per PE of `chosen.n_pes`. Returns 0, or the status of the PE that failed first in virtual time.
/// Ends the process if a PE ends the job or nothing can move any more, with a report that says how to replay the run.
/// Throws setup_error.
int run(const settings& chosen, const pe_body& body);

}  // namespace shoal::internal::sim
