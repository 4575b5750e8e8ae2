// Selectors of HClib-Actor: in which order mailboxes end, and who waits for that.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/c_selector.hpp"
#include "shoal/compat/internal/handler_points.hpp"
#include "shoal/compat/internal/lambda_kinds.hpp"
#include "shoal/compat/internal/live_selectors.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace compat = shoal::internal::compat;
using compat::selectors;
using shoal::internal::end_job;
using shoal::internal::status_usage;

namespace {

[[noreturn, gnu::cold]] void refuse(const std::string& what) { end_job(status_usage, what); }

shoal_mailbox& mailbox_of(shoal_selector* its, int index, const char* call) {
  if (index >= 0 && static_cast<std::size_t>(index) < its->mailboxes.size()) {
    return its->mailboxes[static_cast<std::size_t>(index)];
  }
  refuse(std::string(call) + " of mailbox " + std::to_string(index) + ", but the selector has " +
         std::to_string(its->mailboxes.size()));
}

// For what the program makes of its own.
template <class Mailbox>
Mailbox& own(Mailbox* its) {
  if (its == nullptr) refuse("a mailbox of no selector");
  return *its;
}

}  // namespace

shoal_selector::shoal_selector(int n_mailboxes, void* owner, void (*ended)(void*))
    : mailboxes(static_cast<std::size_t>(n_mailboxes)),
      owner_(owner),
      ended_(ended),
      number_(selectors().next_number()) {
  words = &selectors().words_of(number_);
  for (int i = 0; i < n_mailboxes; ++i) {
    shoal_mailbox& its = mailboxes[static_cast<std::size_t>(i)];
    its.of = this;
    its.index = i;
  }
}

shoal_selector::~shoal_selector() {
  if (!is_live() || compat::has_exited() || std::uncaught_exceptions() != 0) {
    selectors().leave(*this);
    return;
  }
  const auto live = std::ranges::find_if(mailboxes, [](const shoal_mailbox& its) { return !its.has_ended; });
  refuse(describe(*live) +
         ": the selector was destroyed before its end; let it live until finish returns, and call done");
}

std::string shoal_selector::describe(const shoal_mailbox& its) const {
  return "mailbox " + std::to_string(its.index) + " of selector " + std::to_string(number_);
}

void shoal_selector::start() {
  if (compat::is_in_handler()) refuse("start of selector " + std::to_string(number_) + " in a handler");
  if (std::exchange(has_started_, true)) refuse("selector " + std::to_string(number_) + " was started twice");
  shoal::world& in = compat::world_for("start of a selector");
  compat::finish_scope* const scope = compat::current_finish();
  for (shoal_mailbox& its : mailboxes) {
    its.flow = compat::mailbox_flow::make(in, its.form, describe(its));
    if (number_ >= compat::live_selectors::n_with_rows) {
      its.flow->share_row("mailboxes of later selectors", selectors().row_of_later(its.flow->serial()));
    }
    its.flow->belong_to(scope);
    if (scope != nullptr) scope->hold();
    its.of_start = scope;
    its.flow->show(*its.open);
  }
  selectors().enter(*this);
}

void shoal_selector::done(shoal_mailbox& its, way_on then) {
  if (its.is_done) return;
  if (!has_started_) refuse(describe(its) + ": done before start");
  then_ = then;
  compat::finish_scope* const scope = compat::is_in_handler() ? nullptr : compat::current_finish();
  if (scope != nullptr) {
    scope->hold();
    its.of_done.push_back(scope);
  }
  close(its);
}

void shoal_selector::close(shoal_mailbox& its) noexcept {
  if (std::exchange(its.is_done, true)) return;
  its.open->n_direct = 0;
  its.flow->close();
}

// --- Ends

void shoal_selector::note_global_done() noexcept {
  then_ = way_on::nowhere;
  words->global_done = -1;
  for (shoal_mailbox& its : mailboxes) close(its);
}

// Others may have ended this selector already, and begun others.
void shoal_selector::global_done() {
  if (!is_live()) return;
  const std::uint64_t mine = number_ + 1;
  const auto n_pes = static_cast<int>(compat::n_pes());
  for (int pe = 0; pe < n_pes; ++pe) {
    std::uint64_t last = shmem_uint64_atomic_fetch(&words->signalled, pe);
    while (last < mine) {
      const std::uint64_t found = shmem_uint64_atomic_compare_swap(&words->signalled, last, mine, pe);
      if (found == last) break;
      last = found;
    }
  }
  note_global_done();
}

void shoal_selector::initiate_global_done() {
  if (!is_live() || std::exchange(words->local_done, -1) == -1) return;
  const std::uint64_t mine = (number_ + 1) << compat::n_asked_bits;
  for (std::uint64_t last = shmem_uint64_atomic_fetch(&words->asked, 0);;) {
    const std::uint64_t of = last >> compat::n_asked_bits << compat::n_asked_bits;
    if (of > mine) return;  // ended long ago
    const std::uint64_t next = (of < mine ? mine : last) + 1;
    const std::uint64_t found = shmem_uint64_atomic_compare_swap(&words->asked, last, next, 0);
    if (found == last) {
      if (next - mine == static_cast<std::uint64_t>(compat::n_pes())) global_done();
      return;
    }
    last = found;
  }
}

bool shoal_selector::settle() {
  bool has_moved = false;
  if (then_ != way_on::nowhere && static_cast<volatile std::uint64_t&>(words->signalled) == number_ + 1) {
    note_global_done();
    has_moved = true;
  }
  for (shoal_mailbox& its : mailboxes) {
    if (its.is_done && !its.has_ended && its.flow->try_end()) {
      end(its);
      has_moved = true;
    }
  }
  return has_moved;
}

void shoal_selector::end(shoal_mailbox& its) {
  its.has_ended = true;
  its.flow.reset();
  its.open->links = nullptr;
  its.open->held = nullptr;
  go_on_after(its);
  if (its.of_start != nullptr) its.of_start->release();
  for (compat::finish_scope* scope : std::exchange(its.of_done, {})) scope->release();
  if (++n_ended_ == mailboxes.size()) end_all();
}

// The finishes that wait for the end of the first go on to wait for that of the next.
void shoal_selector::follow(const shoal_mailbox& ended, shoal_mailbox& next) {
  if (next.has_ended) return;
  for (compat::finish_scope* scope : ended.of_done) {
    scope->hold();
    next.of_done.push_back(scope);
  }
  close(next);
}

void shoal_selector::go_on_after(const shoal_mailbox& its) {
  switch (then_) {
    case way_on::nowhere: return;
    case way_on::chain: follow(its, mailboxes[(static_cast<std::size_t>(its.index) + 1) % mailboxes.size()]); return;
    case way_on::graph: break;
  }
  for (const int index : its.successors) {
    shoal_mailbox& next = mailboxes[static_cast<std::size_t>(index)];
    if (--next.n_predecessors == 0) follow(its, next);
  }
}

void shoal_selector::end_all() {
  selectors().leave(*this);
  words->global_done = words->local_done = 0;
  ended_(owner_);
}

void shoal_selector::give_up() noexcept {
  for (shoal_mailbox& its : mailboxes) {
    its.flow.reset();
    its.has_ended = its.is_done = true;
    if (its.open != nullptr) *its.open = {.links = nullptr, .n_direct = 0, .held = nullptr, .inside = its.open->inside};
  }
  n_ended_ = mailboxes.size();
  selectors().leave(*this);
}

// --- Functions of the headers

extern "C" {

shoal_selector* shoal_selector_make(int n_mailboxes, void* owner, void (*ended)(void*), int** global_done,
                                    int** local_done) {
  if (!compat::is_open()) refuse("a selector outside a job; construct it in hclib::launch");
  if (compat::is_in_handler()) refuse("a selector was constructed in a handler, where PEs come in different orders");
  auto* const made = new shoal_selector(n_mailboxes, owner, ended);
  *global_done = &made->words->global_done;
  *local_done = &made->words->local_done;
  return made;
}

void shoal_selector_enter(shoal_selector* its, int index, shoal_mailbox_open* open, void* mailbox, size_t packet_bytes,
                          size_t packet_align, shoal_run_packets run) {
  shoal_mailbox& entered = mailbox_of(its, index, "construction");
  entered.open = open;
  entered.form = {.bytes = packet_bytes, .align = packet_align, .run = run, .mailbox = mailbox};
  open->inside = &entered;
}

void shoal_selector_start(shoal_selector* its) {
  try {
    its->start();
  } catch (const shoal::setup_error& e) {
    refuse(e.what());
  }
}

void shoal_selector_free(shoal_selector* its) { delete its; }

void shoal_selector_done(shoal_selector* its, int index) {
  its->done(mailbox_of(its, index, "done"), its->way_of_done());
}
void shoal_selector_done_extended(shoal_selector* its, int index) {
  its->done(mailbox_of(its, index, "done_extended"), shoal_selector::way_on::graph);
}
void shoal_selector_global_done(shoal_selector* its) { its->global_done(); }
void shoal_selector_initiate_global_done(shoal_selector* its) { its->initiate_global_done(); }
void shoal_selector_print_profiling(shoal_selector*, const char*) { shoal_tell_of_traces(shoal_trace_times, nullptr); }

bool shoal_mailbox_send(shoal_mailbox* its, const void* packet, int pe) {
  return shoal_mailbox_send_lambda(its, nullptr, packet, pe);
}

bool shoal_mailbox_send_lambda(shoal_mailbox* its, shoal_lambda_kind* kind, const void* lambda, int pe) {
  if (own(its).is_done) return true;  // dropped, as programs rely on
  if (its->flow == nullptr) refuse(its->of->describe(*its) + ": send before start");
  if (pe < 0 || pe >= compat::n_pes()) {
    refuse(its->of->describe(*its) + ": send to PE " + std::to_string(pe) + ", which is out of range; PEs are 0 to " +
           std::to_string(compat::n_pes() - 1));
  }
  if (kind != nullptr && kind->number == 0) compat::number_lambda(*kind);
  compat::let_others_go_on();
  return its->flow->send(lambda, kind, pe, its->is_early);
}

void shoal_mailbox_set_early_exit(shoal_mailbox* its, bool is_early) { own(its).is_early = is_early; }

void shoal_mailbox_add_successor(shoal_mailbox* its, int index, bool by_done) {
  shoal_mailbox& next = mailbox_of(own(its).of, index, "an edge between mailboxes");
  if (by_done) its->of->follow_graph();
  if (&next == its || std::ranges::find(its->successors, index) != its->successors.end()) return;
  its->successors.push_back(index);
  ++next.n_predecessors;
}

void shoal_mailbox_add_predecessor(shoal_mailbox* its, int index) {
  shoal_mailbox_add_successor(&mailbox_of(own(its).of, index, "an edge between mailboxes"), its->index, true);
}

int shoal_mailbox_n_predecessors(const shoal_mailbox* its) { return own(its).n_predecessors; }
bool shoal_mailbox_is_done(const shoal_mailbox* its) { return own(its).is_done; }

void shoal_refuse_mailbox_without_process(const shoal_mailbox* its) {
  refuse(its->of->describe(*its) + " has packets and no process; assign its process before the first yield point");
}

size_t shoal_symmetric_offset(const void* address) { return compat::place_of(address, 1, 0, "an address in a packet"); }

void* shoal_symmetric_address(size_t offset) {
  const compat::reach& reach = compat::here;
  if (offset - reach.static_offset < reach.static_bytes) return reach.statics + (offset - reach.static_offset);
  return reach.heap + offset;
}

void shoal_tell_of_traces(unsigned kinds, const char* name) {
  static unsigned told = 0;
  const unsigned files = kinds & ~unsigned{shoal_trace_times};
  if (compat::my_pe() != 0) return;
  if (const bool is_new = (files & ~told) != 0 || name != nullptr; files != 0 && is_new) {
    const std::string begin = name == nullptr ? "PE<number>_" : "PE<number>_" + std::string(name) + "_";
    std::string names;
    const auto add = [&](unsigned kind, const char* end) {
      if ((files & kind) != 0) names += (names.empty() ? "" : ", ") + begin + end;
    };
    add(shoal_trace_sends, "send.csv");
    add(shoal_trace_counters, "PAPI.csv");
    add(shoal_trace_buffers, "physical.csv");
    std::fprintf(stderr,
                 "shoal: traces of selectors will be in %s, where each PE runs; this version does not write them yet "
                 "(SHOAL_STATS=1 tells what mailboxes sent)\n",
                 names.c_str());
  }
  if ((kinds & ~told & shoal_trace_times) != 0) {
    std::fprintf(
        stderr,
        "shoal: times of selectors will be what print_profiling prints; this version does not measure them yet "
        "(SHOAL_STATS=1 tells where time went)\n");
  }
  told |= kinds;
}

}  // extern "C"
