#include "shoal/actor/internal/opening.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/internal/start_probe.hpp"
#include "shoal/actor/job.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/mismatch.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/round_head.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

// The state that a process has once: the PE that it is. Lives until the process ends, so nothing destroys it.
struct process {
  std::atomic<bool> is_open{false};  // an opening exists, perhaps in another thread
  world* now = nullptr;  // the world that the opening made
  std::unique_ptr<process_pe> pe;  // the PE of the open world, or one that stays after it
  std::optional<stall_watch> stalls;  // of that PE
  pid_t id = 0;  // the process that started it
  settings asked;  // settings of the first opening
  settings complete;  // the same after resolve
  std::uint64_t n_worlds = 0;  // number of worlds that `pe` has had
  std::uint64_t next_stream = 0;
  exit_policy at_exit{};  // of the last opening
  bool has_exit_handler = false;
  bool hangs_in_forked_child = false;  // process_pe has it for as long as there is one
};

process& this_process() {
  static process& one = *new process;
  return one;
}

void refuse_other_settings(const settings& first, const settings& chosen) {
  std::string what(first_difference(first, chosen));
  if (what.empty() && (first.communicator.has_value != chosen.communicator.has_value ||
                       first.communicator.handle != chosen.communicator.handle)) {
    what = "the communicator";
  }
  if (what.empty()) return;
  throw setup_error(
      what +
      " differs from its value in the first shoal::run or shoal::job of this process, whose memory and library "
      "this one uses; give all of them the same settings");
}

// Drops what a conveyor of the last world left in transit. Its slots come back with the others.
void drop_left_over(substrate& backend, unsigned& patience) {
  if (buffer* const left = backend.poll()) {
    backend.release(*left);
    patience = 0;
  } else {
    backend.wait(patience);
  }
}

void await_own_slots(substrate& backend) {
  for (unsigned patience = 0; backend.n_free() < backend.n_slots();) drop_left_over(backend, patience);
  SHOAL_ENSURE(backend.n_free() == backend.n_slots());
}

// Waits for all PEs before a library that Shoal began ends: no PE may still depend on this process then.
void meet_to_end(substrate& backend) {
  const round_head head = make_head(static_cast<call_tag>(collective_call::end_of_process), 0, 0, {}, backend.my_pe());
  backend.arrive(std::as_bytes(std::span(&head, 1)), combine_only_heads);
  for (unsigned patience = 0; !backend.is_round_complete();) drop_left_over(backend, patience);
  if (const mismatch found = find_mismatch(backend, backend)) backend.end_job(status_usage, found.report());
}

// Exit handlers that were registered before the library began run after ours, and so do the library's.
void leave_forked_child(int status) {
  if (!this_process().hangs_in_forked_child) return;
  std::fflush(nullptr);
  ::_exit(status);
}

void end_process(int status, void*) {
  answer_exit(status);
  process& here = this_process();
  if (is_forked_child()) return leave_forked_child(status);
  const bool is_in_world = here.is_open && (here.now == nullptr || !here.now->has_ended());
  if (is_in_world || here.pe == nullptr) return;
  // A program that ends so as others do has nothing to explain: the launcher is to say nothing.
  if (here.at_exit == exit_policy::close && status != 0) here.pe->backend().claim_report();
  if (!here.pe->ends_with_others()) return;
  meet_to_end(here.pe->backend());
  here.pe->close();
}

void start(process& here, const settings& chosen) {
  settings complete = chosen;
  const signal_set of_nobody = signals_by_default();
  std::unique_ptr<process_pe> made = start_process(complete, resolve);
  answer_signals(of_nobody);
  here.pe = std::move(made);
  make_watch(here.stalls, here.pe->backend(), complete);
  probe_links(here.pe->backend(), complete);
  here.id = ::getpid();
  here.asked = chosen;
  here.complete = std::move(complete);
  here.n_worlds = here.next_stream = 0;
  // The substrate's library has registered its exit handlers before, so ours run first.
  here.hangs_in_forked_child = here.pe->hangs_in_forked_child();
  if (here.has_exit_handler || (!here.pe->stays() && !here.hangs_in_forked_child)) return;
  here.has_exit_handler = true;
  ::on_exit(end_process, nullptr);
}

void go_on(process& here, const settings& chosen) {
  here.pe->begin_next_world();
  refuse_other_settings(here.asked, chosen);
  await_own_slots(here.pe->backend());
}

// Long enough that no wave runs while PEs only differ in how long they compute, and short for somebody who waits.
constexpr std::uint64_t patience_ns = 2'000'000'000;

}  // namespace

void make_watch(std::optional<stall_watch>& into, substrate& backend, const settings& chosen) {
  if (is_simulated(backend.kind()) && chosen.stall_patience_ns == 0) return;
  into.emplace(backend, chosen.on_stall.value, chosen.stall_patience_ns == 0 ? patience_ns : chosen.stall_patience_ns);
}

void require_codec(const settings& chosen) {
  if (chosen.codec.value) require_built(*chosen.codec.value, chosen.codec.origin);
}

opening::opening(const settings& chosen, bool is_job, exit_policy at_exit) {
  process& here = this_process();
  if (here.is_open.exchange(true)) {
    constexpr std::string_view what =
        "a second world was opened in this process, by another thread; a process is one PE";
    here.now == nullptr ? end_job(status_usage, what) : here.now->end_job(status_usage, what);
  }
  try {
    here.pe == nullptr ? start(here, chosen) : go_on(here, chosen);
  } catch (...) {
    here.is_open = false;
    throw;
  }
  refuse_exit();
  here.at_exit = at_exit;
  const world_entry entry = {.number = ++here.n_worlds,
                             .first_stream = here.next_stream,
                             .is_job = is_job,
                             .at_exit = at_exit,
                             .stalls = &*here.stalls};
  world_.emplace(here.pe->backend(), here.complete, entry);
  here.now = &*world_;
  world_->begin();
}

opening::~opening() {
  process& here = this_process();
  here.next_stream = world_->message_exchange().first_number_of_next_world();
  here.now = nullptr;
  world_.reset();
  if (!here.pe->stays()) {
    here.stalls.reset();
    here.pe->close();
    here.pe.reset();
  }
  here.is_open = false;
}

bool is_forked_child() noexcept { return this_process().id != 0 && this_process().id != ::getpid(); }

void refuse_forked_child() noexcept {
  if (!is_forked_child()) return;
  std::fputs(
      "shoal: this process was forked by a PE and is not a PE itself; call shoal::run or open a shoal::job in "
      "the parent\n",
      stderr);
  std::_Exit(status_usage);
}

}  // namespace shoal::internal
