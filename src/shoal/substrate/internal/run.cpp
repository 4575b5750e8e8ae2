#include "shoal/substrate/internal/run.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/local/local.hpp"
#include "shoal/substrate/internal/network/descriptor_passing.hpp"
#include "shoal/substrate/internal/network/network.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/sim/sim.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {

void choose_substrate(settings& chosen) {
  if (chosen.substrate.value) return;
  const launch_facts& by = chosen.launched;
  const bool is_mpi = chosen.job_fd.value < 0 && by.library && !by.is_only_task();
  chosen.substrate.value = is_mpi ? substrate_kind::mpi : substrate_kind::local;
  if (!by.name.empty()) chosen.substrate.origin = by.name;
}

void check_start(const settings& chosen) {
  const substrate_entry& wanted = entry_of(*chosen.substrate.value);
  const std::string name(wanted.name);
  const std::string n_pes = std::to_string(chosen.n_pes.value);
  const bool is_of_shoalrun = chosen.job_fd.value >= 0;
  const bool is_process = wanted.pes == pe_form::process;
  if (is_process && !wanted.is_network && !is_of_shoalrun && chosen.n_pes.value > 1) {
    throw setup_error(chosen.n_pes.origin + "=" + n_pes + " but nobody started the other PEs; run `shoalrun -n " +
                      n_pes + " program`, or set SHOAL_SUBSTRATE to threads or sim");
  }
  if (!is_process && is_of_shoalrun && chosen.n_pes.value > 1) {
    throw setup_error(chosen.substrate.origin + "=" + name + " has all its PEs in one process, but shoalrun started " +
                      n_pes + "; run the program without shoalrun, with SHOAL_PES=" + n_pes);
  }
  if (chosen.n_pes.value > wanted.n_pes_max) {
    throw setup_error(chosen.n_pes.origin + "=" + n_pes + ": substrate " + name + " takes at most " +
                      std::to_string(wanted.n_pes_max) + " PEs; set SHOAL_SUBSTRATE=sim for more");
  }
}

std::size_t n_budget_parts(const settings& chosen) {
  const bool is_between_nodes = is_network(*chosen.substrate.value) && chosen.node_size.value < chosen.n_pes.value;
  return is_between_nodes ? network::n_budget_parts : 1;
}

void report_fault(std::string_view what) noexcept {
  const auto print = [&] { std::fprintf(stderr, "shoal: %s\n", printable(what).c_str()); };
  if (const int fd = job_fd_from_environment(); fd >= 0) {
    if (local::claim_report(fd, job_pe_from_environment())) print();
    return;
  }
  const std::int64_t rank = launcher_rank_from_environment();
  if (rank < 0) return print();
  // PEs without common memory do not know what the others found. Nearly always all find the same fault, so rank 0 goes
  // first. The reporter holds a name for a while, made from the launcher's process here, the parent of all.
  if (rank > 0) ::sleep(1);
  const auto token = static_cast<std::uint64_t>(::getppid());
  const descriptor claimed = network::listen_under(token, SOMAXCONN);
  // Anybody here may take a name; only a PE of ours reports instead of this one.
  if (!claimed.is_open() && errno == EADDRINUSE && network::is_held_by_us(token)) {
    // MPICH's launcher kills all when the first has left, the reporter, too. A PE that looks a little later than this one
    // must still find it.
    ::usleep(500'000);
    return;
  }
  print();
  ::sleep(8);  // on a loaded machine the others come late; launchers end this one as soon as they have left
}

void end_for_fault(std::string_view what) noexcept {
  if (current_pe != nullptr) end_job(status_usage, what);
  report_fault(what);
  std::_Exit(status_usage);
}

bool has_process_pes(settings& chosen) {
  choose_substrate(chosen);
  network::look_at_loaded_libraries(chosen);
  return entry_of(*chosen.substrate.value).pes == pe_form::process;
}

std::unique_ptr<process_pe> start_process(settings& chosen, resolve_function resolve) {
  if (is_network(*chosen.substrate.value)) return network::start_process(chosen, resolve);
  resolve(chosen, this_machine());
  return local::start_process(chosen);
}

int run_on_substrate(settings& chosen, resolve_function resolve, const pe_body& body) {
  resolve(chosen, this_machine());
  return chosen.substrate.value == substrate_kind::threads ? local::run_threads(chosen, body) : sim::run(chosen, body);
}

}  // namespace shoal::internal
