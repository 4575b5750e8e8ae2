/// Runs a program on a bare substrate, without worlds: for what lies below them.
#pragma once

#include "shoal/substrate/internal/run.hpp"

namespace shoal::test {

/// Calls `body` once for each PE of this process, on the substrate that the environment says. The body takes part in as
/// many rounds as the other PEs' and calls substrate::finished at its end. Returns the process's exit status.
int run_on_bare_substrate(const internal::pe_body& body);

}  // namespace shoal::test
