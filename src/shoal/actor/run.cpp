#include "shoal/actor/run.hpp"

#include <exception>
#include <optional>

#include "shoal/actor/internal/opening.hpp"
#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/internal/start_probe.hpp"
#include "shoal/actor/job.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace shoal {

using namespace internal;

namespace {

int refuse(const setup_error& e) {
  report_fault(e.what());
  return status_usage;
}

int run_body(world& w, program_body body) {
  try {
    int status = body(w);
    // The system keeps 8 bits of a status, and a failure must not become 0.
    if (status != 0 && (status & 0xff) == 0) status = status_failure;
    w.end();
    return status;
  } catch (const setup_error& e) {
    w.end_job(status_usage, e.what());
  } catch (const std::exception& e) {
    w.end_job(status_failure, "the program threw: " + one_line(e.what()));
  } catch (...) {
    w.end_job(status_failure, "the program threw something that is not a std::exception");
  }
}

// Runs with the environment's settings, on the processes of `communicator` if it has a value.
int run_as_environment_says(communicator_handle communicator, program_body body) {
  settings chosen;
  try {
    chosen = settings_from_environment();
  } catch (const setup_error& e) {
    return refuse(e);
  }
  chosen.communicator = communicator;
  return run_with(chosen, body);
}

}  // namespace

namespace internal {

int run_with(const settings& chosen, program_body body) {
  refuse_forked_child();
  if (current_pe != nullptr) {
    end_job(status_usage, world::of_job().entry().is_job
                              ? "shoal::run was called while a shoal::job is open; close it first, or use its world"
                              : "shoal::run was called inside shoal::run; a program has one body");
  }
  try {
    require_codec(chosen);
    settings complete = chosen;  // plus what resolve decides below
    if (has_process_pes(complete)) {
      opening here(complete, false, exit_policy::report);
      return run_body(here.here(), body);
    }
    answer_signals(signals_by_default());
    return run_on_substrate(complete, resolve, [&](substrate& backend) {
      refuse_exit();
      std::optional<stall_watch> stalls;
      make_watch(stalls, backend, complete);
      probe_links(backend, complete);
      world w(backend, complete, {.stalls = stalls ? &*stalls : nullptr});
      w.begin();
      return run_body(w, body);
    });
  } catch (const setup_error& e) {
    return refuse(e);
  }
}

int run_from_environment(program_body body) { return run_as_environment_says({}, body); }

int run_on_communicator(std::int32_t communicator, program_body body) {
  return run_as_environment_says({.handle = communicator, .has_value = true}, body);
}

}  // namespace internal
}  // namespace shoal
