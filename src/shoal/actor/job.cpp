#include "shoal/actor/job.hpp"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>

#include "shoal/actor/internal/opening.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal {

using namespace internal;

namespace {

// --- Uncaught exceptions

std::atomic<std::terminate_handler> handler_before{nullptr};

[[noreturn]] void end_for(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const setup_error& e) {
    if (pe_of_this_process() != nullptr) end_job(status_usage, e.what());
    report_fault(e.what());
    std::_Exit(status_usage);
  } catch (const std::exception& e) {
    end_job(status_failure, "the program threw: " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, "the program threw something that is not a std::exception");
  }
}

bool is_setup_error(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const setup_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

void end_for_uncaught() noexcept {
  const std::exception_ptr thrown = std::current_exception();
  if (thrown && (pe_of_this_process() != nullptr || is_setup_error(thrown))) end_for(thrown);
  if (const std::terminate_handler before = handler_before) before();
  std::abort();
}

void report_uncaught() {
  static std::once_flag is_set;
  std::call_once(is_set, [] { handler_before = std::set_terminate(end_for_uncaught); });
}

// --- Opening

void refuse_second_world() {
  if (current_pe == nullptr) return;
  end_job(status_usage, world::of_job().entry().is_job
                            ? "a second shoal::job was opened while one is open; close that first, or use its world"
                            : "a shoal::job was opened inside shoal::run; the body has its world already");
}

void require_process_pes(settings& chosen) {
  if (has_process_pes(chosen)) return;
  const std::string name(name_of(*chosen.substrate.value));
  throw setup_error(
      chosen.substrate.origin + "=" + name + ": a shoal::job makes its process one PE, but " + name +
      " has all PEs in one process; give a function to shoal::run instead, or choose local, mpi, mpi-rma or "
      "shmem");
}

settings read_settings() {
  report_uncaught();  // first, because everything after it may throw
  return settings_from_environment();
}

settings on_communicator(const communicator_handle& on) {
  settings chosen = read_settings();
  chosen.communicator = on;
  return chosen;
}

}  // namespace

job::job(exit_policy at_exit) { open(read_settings(), at_exit); }

job::job(const settings& chosen, exit_policy at_exit) {
  report_uncaught();
  open(chosen, at_exit);
}

job::job(const communicator_handle& on, exit_policy at_exit) { open(on_communicator(on), at_exit); }

void job::open(settings chosen, exit_policy at_exit) {
  refuse_forked_child();
  refuse_second_world();
  require_codec(chosen);
  require_process_pes(chosen);
  opening_ = std::make_unique<opening>(chosen, true, at_exit);
  n_exceptions_ = std::uncaught_exceptions();
}

// --- Closing

job::~job() {
  shoal::world& w = world();
  if (is_forked_child() || w.has_ended()) {
    static_cast<void>(opening_.release());  // the PE is another process, or has left by exit
    return;
  }
  if (current_pe != &w) {
    w.end_job(status_usage, "a shoal::job was closed by a thread other than the one that opened it");
  }
  if (std::uncaught_exceptions() > n_exceptions_) {
    w.end_job(
        status_failure,
        "an exception left the scope of its shoal::job, while other PEs may wait for this one; catch it inside to "
        "see what it says");
  }
  w.require_main("closing a shoal::job");
  if (w.teams().of_main().n_open() != 0)
    w.end_job(status_usage, "a shoal::job was closed inside finish; leave finish first");
  if (const std::size_t n = w.teams().size(); n != 0) {
    w.end_job(status_usage, "a shoal::job was closed while " + std::to_string(n) + (n == 1 ? " team" : " teams") +
                                " of its world still existed; destroy what world.split returned first");
  }
  if (const std::size_t n = w.message_exchange().n_streams() - w.scopes().n_own_mailboxes(); n != 0) {
    w.end_job(status_usage, "a shoal::job was closed while " + std::to_string(n) +
                                (n == 1 ? " mailbox or conveyor" : " mailboxes and conveyors") +
                                " of its world still existed; destroy them first");
  }
  w.end();
}

shoal::world& job::world() const noexcept { return opening_->here(); }

}  // namespace shoal
