#include "test/support/bare_substrate.hpp"

#include <memory>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::test {

using namespace internal;

int run_on_bare_substrate(const pe_body& body) {
  try {
    settings chosen = settings_from_environment();
    if (!has_process_pes(chosen)) return run_on_substrate(chosen, resolve, body);
    const std::unique_ptr<process_pe> here = start_process(chosen, resolve);
    const int status = body(here->backend());
    here->close();
    return status;
  } catch (const setup_error& refused) {
    report_fault(refused.what());
    return status_usage;
  }
}

}  // namespace shoal::test
