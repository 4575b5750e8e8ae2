#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/local/local.hpp"
#include "shoal/substrate/sim/sim.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

bool claim_report(int job_fd) noexcept { return job_fd < 0 || local::claim_report(job_fd, 0); }

int run_on_substrate(const settings& chosen, const pe_body& body) {
  const std::string& name = chosen.substrate.value;
  if (name == "local") return local::run_process(chosen, body);
  if (name == "threads") return local::run_threads(chosen, body);
  if (name == "sim") return sim::run(chosen, body);
  throw setup_error("unknown substrate '" + name + "' (SHOAL_SUBSTRATE); choose local, threads or sim");
}

}  // namespace shoal
