#include "shoal/substrate/run.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/local/local.hpp"
#include "shoal/substrate/network/descriptor_passing.hpp"
#include "shoal/substrate/network/network.hpp"
#include "shoal/substrate/sim/sim.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

void report_fault(std::string_view what) noexcept {
  const auto print = [&] { std::fprintf(stderr, "shoal: %.*s\n", static_cast<int>(what.size()), what.data()); };
  if (const int fd = job_fd_from_environment(); fd >= 0) {
    if (local::claim_report(fd, 0)) print();
    return;
  }
  const std::int64_t rank = launcher_rank_from_environment();
  if (rank < 0) return print();
  // Without memory in common nobody knows what the others found. A fault is nearly always everybody's, so rank 0 goes
  // first, and who reports holds a name for a while: that of the launcher's process here, which is everybody's parent.
  if (rank > 0) ::sleep(1);
  const local::descriptor claimed = network::listen_under(static_cast<std::uint64_t>(::getppid()), 1);
  if (!claimed.is_open() && errno == EADDRINUSE) return;
  print();
  ::sleep(3);
}

int run_on_substrate(settings& chosen, const pe_body& body) {
  choose_substrate(chosen);
  network::look_at_loaded_libraries(chosen);
  const std::string name = chosen.substrate.value;
  if (network::is_network(name)) return network::run(chosen, body);
  resolve(chosen, this_machine());
  if (name == "local") return local::run_process(chosen, body);
  if (name == "threads") return local::run_threads(chosen, body);
  if (name == "sim") return sim::run(chosen, body);
  throw setup_error("unknown substrate '" + name +
                    "' (SHOAL_SUBSTRATE); choose local, threads, sim, mpi, mpi-rma or shmem");
}

}  // namespace shoal
