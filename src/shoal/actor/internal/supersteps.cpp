#include "shoal/actor/internal/supersteps.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/awaited_ends.hpp"
#include "shoal/actor/internal/closings.hpp"
#include "shoal/actor/internal/declared_edges.hpp"
#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/posted_calls.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// A superstep was broken off.
void drop_work(deferred_work& left, exchange& through) noexcept {
  left.drop();
  if (waiting_tasks* const tasks = tasks_of(through.parts()); tasks != nullptr) tasks->drop_tasks();
}

// Whether no work that the main program has left, which counts for these closures, can send any more before the main program
// is done with its mailboxes.
bool is_work_over(const superstep_part& closures, const awaited_ends& ends, exchange& through) {
  const std::uint64_t n_left = closures.work().n_of_main();
  if (n_left == 0) return true;
  const std::uint64_t n_waiting = n_left == 1 ? ends.n_tasks_that_wait_for_done(closures) : 0;
  return n_waiting != 0 && tasks_of(through.parts())->has_only(closures, n_waiting);
}

}  // namespace

// A `finish` that is open on this PE.
struct supersteps::scope {
  std::source_location where;
  std::source_location where_around;
  std::vector<superstep_part*> mailboxes = {};
};

// The actor for the closures of a scope, and its mailbox.
struct supersteps::closures_of_depth {
  std::unique_ptr<lambda_actor<world>> actor;
  superstep_part* box = nullptr;
};

struct supersteps::lists {
  std::vector<scope> scopes;  // outermost first
  std::vector<superstep_part*> rootless;  // constructed while no scope was open
  std::vector<closures_of_depth> closures;  // by depth of finish, kept for the next superstep of that depth
  std::vector<lambda_actor<world>*> actors;  // those of `closures`, as a table for begin_handlers
};

class supersteps::messages_of final : public awaited_messages {
public:
  messages_of(std::span<superstep_part* const> mailboxes, const adaptive_hops& hops) noexcept
      : mailboxes_(mailboxes), hops_(hops) {}

  /// Those of `graph` at this depth have to close by themselves first.
  void come_after(const closings& graph, std::size_t depth) noexcept {
    graph_ = &graph;
    depth_ = depth;
  }

  // What waits for the ends of these mailboxes does not count: it can begin only afterwards.
  bool are_gone() const noexcept override {
    return (graph_ == nullptr || graph_->have_closed(depth_)) &&
           std::all_of(mailboxes_.begin(), mailboxes_.end(), [](const superstep_part* m) { return m->is_empty(); });
  }

  void flush() noexcept override {
    for (superstep_part* m : mailboxes_) m->flush();
  }

  wave_share join_wave() noexcept override {
    wave_share mine;
    for (superstep_part* m : mailboxes_) {
      mine = mine + m->share(hops_);
      m->join_wave();
    }
    return mine;
  }

  // PEs that wait for different mailboxes have different digests.
  std::uint64_t digest() const noexcept {
    shoal::internal::digest serials;
    for (const superstep_part* m : mailboxes_) serials.add_word(m->serial() + 1);
    return serials.value();
  }

private:
  std::span<superstep_part* const> mailboxes_;
  const adaptive_hops& hops_;
  const closings* graph_ = nullptr;
  std::size_t depth_ = 0;
};

supersteps::supersteps(world& home, exchange& through, collectives& waves, main_program& caller, const settings& chosen)
    : home_(home),
      exchange_(through),
      caller_(caller),
      has_workers_(through.parts().has_workers),
      hops_(std::make_unique<adaptive_hops>(through, chosen)),
      termination_(std::make_unique<termination>(through, waves, *hops_)),
      lists_(std::make_unique<lists>()),
      edges_(std::make_unique<declared_edges>()),
      closings_(std::make_unique<closings>(through)),
      ends_(std::make_unique<awaited_ends>(*closings_)),
      deferred_(std::make_unique<deferred_work>(through, *this, caller)) {
  caller_.enter(*closings_);
}

supersteps::~supersteps() {
  lists_->closures.clear();  // they delist themselves
  caller_.leave(*closings_);
}

void supersteps::begin(const std::source_location& where) {
  caller_.require("finish");
  exchange_.parts().watch.change_to(activity::main_in_supersteps);
  const std::size_t depth = lists_->scopes.size();
  lists_->scopes.push_back({.where = where, .where_around = caller_.note_finish(where)});
  if (waiting_tasks* const tasks = tasks_of(exchange_.parts()); tasks != nullptr) tasks->enter_finish(where);
  home_.teams().enter(*this);
  n_open_ = depth + 1;
  if (depth == 0) {
    for (superstep_part* m : lists_->rootless) enlist(*m);
  }
  SHOAL_ASSERT(lists_->closures.size() >= depth);
  if (lists_->closures.size() > depth) {
    enlist(*lists_->closures[depth].box);
  } else {
    try {
      // Its mailbox enlists itself in the scope that is open now.
      auto actor = std::make_unique<lambda_actor<world>>(home_, home_, "world");
      lists_->actors.resize(depth);
      lists_->actors.push_back(actor.get());
      closures_ = lists_->actors.data();
      lists_->closures.push_back({std::move(actor), lists_->scopes.back().mailboxes.back()});
    } catch (...) {  // no buffers are left, on any PE
      end(true);
      throw;
    }
  }
  return_to_innermost();
}

void supersteps::await_all() {
  caller_.require("finish");
  home_.posted().run();
  scope& s = lists_->scopes.back();
  const std::size_t depth = lists_->scopes.size() - 1;
  is_awaiting_ = true;
  const main_program::wait note(caller_, exchange_, "finish", s.where);
  for (superstep_part* m : s.mailboxes) {
    SHOAL_ASSERT(m->depth() == depth && (m->is_in_scope() || m->is_closed()));
    if (m->is_in_scope()) m->await_end();
  }
  messages_of all(s.mailboxes, *hops_);
  if (is_any_declared_) {
    owes_done_ = true;
    closings_->fix(s.mailboxes);
    all.come_after(*closings_, depth);
  }
  ends_->begin_last_wait(depth);
  termination_->await(all, collective_call::finish, all.digest(), s.where);
  if (!exchange_.arriving().follows_guards()) return;
  for (const superstep_part* m : s.mailboxes) {
    if (m->is_in_scope()) m->require_enabled();
  }
}

void supersteps::break_off() noexcept {
  drop_work(*deferred_, exchange_);
  caller_.break_off("an exception left finish (" + source_place(lists_->scopes.back().where) +
                    "), in which the other PEs may wait; let it leave the program's body, too, or catch it in finish");
}

void supersteps::note_unwound(superstep_part& m, const std::string& name) noexcept {
  m.flush();
  const wave_share mine = m.share(*hops_);
  const bool is_unused =
      mine.counts.n_sent == 0 && mine.counts.n_handled == 0 && m.is_empty() && !ends_->has_last_act(m);
  if (is_unused && !closings_->closes_by_itself(m)) return;
  drop_work(*deferred_, exchange_);
  caller_.break_off(name + ": destroyed by an exception in its superstep, so messages are lost; catch the exception " +
                    "while the actor lives, or let it leave the program's body");
}

void supersteps::end(bool is_broken) noexcept {
  SHOAL_ASSERT(!lists_->scopes.empty());
  const std::size_t depth = lists_->scopes.size() - 1;
  is_awaiting_ = owes_done_ = false;
  ends_->end_superstep(depth, is_broken);
  closings_->end_superstep(depth, is_broken);
  for (superstep_part* m : lists_->scopes.back().mailboxes) m->end_superstep();
  if (is_any_declared_) {
    is_any_declared_ = !edges_->is_empty() || closings_->are_any();
    home_.teams().note_declared();
  }
  caller_.note_finish(lists_->scopes.back().where_around);
  if (waiting_tasks* const tasks = tasks_of(exchange_.parts()); tasks != nullptr) tasks->leave_finish(is_broken);
  home_.teams().leave();
  lists_->scopes.pop_back();
  n_open_ = lists_->scopes.size();
  return_to_innermost();
  if (home_.teams().of_main().n_open() == 0) exchange_.parts().watch.change_to(activity::main_outside);
  if (!lists_->scopes.empty()) return;
  for (superstep_part* m : lists_->rootless) m->forget_close();
}

std::size_t supersteps::n_own_mailboxes() const noexcept { return lists_->closures.size(); }

void supersteps::begin_work(superstep_part& m) noexcept {
  SHOAL_ASSERT(m.depth() < lists_->scopes.size());
  set_main(lists_->closures[m.depth()].actor.get(), &m);
}

void supersteps::return_to_innermost() noexcept {
  if (lists_->scopes.empty()) return set_main(nullptr, nullptr);
  const closures_of_depth& innermost = lists_->closures[lists_->scopes.size() - 1];
  set_main(innermost.actor.get(), innermost.box);
}

void supersteps::enlist(superstep_part& m) {
  if (lists_->scopes.empty()) {
    lists_->rootless.push_back(&m);
    return;
  }
  lists_->scopes.back().mailboxes.push_back(&m);
  m.begin_superstep(lists_->scopes.size() - 1, *hops_);
}

void supersteps::delist(superstep_part& m) noexcept {
  std::erase(lists_->rootless, &m);
  for (scope& s : lists_->scopes) std::erase(s.mailboxes, &m);
  edges_->forget(m);
  closings_->forget(m);
  ends_->forget(m);
  m.leave();
}

void supersteps::close(std::span<superstep_part* const> mailboxes) {
  const main_program::wait note(caller_, exchange_, "close or the destructor of an actor", {});
  std::vector<superstep_part*> by_graph;
  std::vector<superstep_part*> by_waves;
  for (superstep_part* m : mailboxes) {
    SHOAL_ASSERT(m->depth() < lists_->scopes.size());
    if (m->is_closed()) continue;
    if (m->is_declared()) done(*m);
    (closings_->closes_by_itself(*m) ? by_graph : by_waves).push_back(m);
  }
  unsigned patience = 0;
  for (const superstep_part* m : by_graph) {
    while (!m->is_closed()) exchange_.progress_or_idle(patience);
  }
  if (!by_waves.empty()) {
    for (superstep_part* m : by_waves) m->await_end();
    messages_of all(by_waves, *hops_);
    termination_->await(all, collective_call::close_mailbox, all.digest(), {});
    for (superstep_part* m : by_waves) m->close_superstep();
    if (ends_->note_closed(answers_of(home_), by_waves)) owes_waker_ = true;
  }
  // What waited for their ends may use what they belong to.
  for (const superstep_part* m : mailboxes) {
    while (!m->is_empty()) exchange_.progress_or_idle(patience);
  }
  if (by_waves.empty()) return;
  // From now on they feed nobody.
  std::vector<superstep_part*>& of_scope = lists_->scopes[by_waves.front()->depth()].mailboxes;
  for (superstep_part* m : by_waves) std::erase(of_scope, m);
  if (is_any_declared_) closings_->fix_again(of_scope);
}

void supersteps::done(superstep_part& m) {
  m.promise_no_more();
  if (is_any_declared_) closings_->fix(lists_->scopes[m.depth()].mailboxes);
}

void supersteps::declare(superstep_part& fed, std::span<superstep_part* const> feeders) {
  for (const superstep_part* each : feeders) {
    if (&each->steps() == this) continue;
    end_job(status_usage, fed.describe_owner() + home_.message_exchange().of_name() + ": fed by " +
                              each->describe_owner() + each->steps().home().message_exchange().of_name() +
                              ", which belongs to another world; only mailboxes of one finish feed one another");
  }
  const bool is_first = edges_->is_empty();
  edges_->declare(fed, feeders);
  is_any_declared_ = true;
  if (is_first) home_.teams().note_declared();
}

pending_answer* supersteps::await_ends(std::span<superstep_part* const> mailboxes, const std::source_location& where) {
  if (std::all_of(mailboxes.begin(), mailboxes.end(), [](const superstep_part* m) { return m->is_closed(); }))
    return nullptr;
  if (is_any_declared_) {
    for (const superstep_part* m : mailboxes) closings_->fix(lists_->scopes[m->depth()].mailboxes);
  }
  return &ends_->open(answers_of(home_), mailboxes, where);
}

superstep_part* supersteps::attach_to_end(awaited_end& to, const std::source_location& where) {
  const team_worlds& worlds = home_.teams();
  return ends_->attach(to, worlds.sender_now(), worlds.is_main_now(), where);
}

void supersteps::require_coming(const awaited_end& end, const std::source_location& where) const {
  ends_->require_coming(end, where);
}

// What waited for ends runs in a message, which may not wait: the main program may be waiting for room. Without room it is
// sent later. It goes to the closures of the outermost finish, since an inner one may have ended by then; until it has run,
// what waits keeps its own finish open.
bool supersteps::close_declared() {
  bool has_moved = false;
  if (owes_done_ && is_work_over(*lists_->closures[n_open_ - 1].box, *ends_, exchange_)) {
    for (superstep_part* m : lists_->scopes.back().mailboxes) {
      if (m->is_declared() && m->is_in_scope()) m->promise_no_more();
    }
    owes_done_ = false;
    has_moved = true;
  }
  std::vector<superstep_part*> closed;
  has_moved |= closings_->advance(closed);
  if (!closed.empty() && ends_->note_closed(answers_of(home_), closed)) owes_waker_ = true;
  if (owes_waker_) {
    owes_waker_ = answers_of(home_).wants_message() && !try_wake(home_.teams());
    has_moved = has_moved || !owes_waker_;
  }
  return has_moved;
}

// What this PE begins by itself at the end of a finish would come too late for its waves, unless something that it still
// has to do keeps it from taking part in them.
bool may_begin_work(const supersteps& steps) noexcept {
  const auto is_empty = [](const superstep_part* m) { return m->is_empty(); };
  return !steps.is_awaiting_ || !std::ranges::all_of(steps.lists_->scopes.back().mailboxes, is_empty);
}

bool try_wake(const team_worlds& worlds) {
  supersteps& its = worlds.of_outermost();
  if (its.n_open_ == 0 || (its.n_open_ == 1 && !may_begin_work(its))) return false;
  return its.lists_->actors.front()->try_send(its.home_.my_pe(), waker<world>{});
}

void supersteps::take_care(bool are_handlers) noexcept {
  home_.teams().begin_code(are_handlers ? sender_now_ : nullptr);
}

bool supersteps::is_closures(const superstep_part& m) const noexcept {
  return std::any_of(lists_->closures.begin(), lists_->closures.end(),
                     [&](const closures_of_depth& each) { return each.box == &m; });
}

lambda_actor<world>& find_closures(const supersteps& in, lambda_actor<world>* const& of_own_thread) noexcept {
  lambda_actor<world>* found = nullptr;
  if (other_worker() == nullptr) {
    found = of_own_thread;
  } else {
    const sender_of_task sender = tasks_of(in.home().message_exchange().parts())->sender_elsewhere();
    found = sender.closures;
    if (sender.whose != nullptr && &sender.whose->steps() != &in) {
      end_job(status_usage,
              "world.send in another world than that of the superstep for which the task counts; send in that one, or "
              "let a handler "
              "pass it on");
    }
  }
  if (found == nullptr) {
    end_job(status_usage, "world.send outside finish; nothing would wait for it, so send inside world.finish");
  }
  return *found;
}

void supersteps::record_living() const {
  for (const superstep_part* m : lists_->rootless) m->record();
  for (const auto& each : lists_->closures) each.box->record();
}

}  // namespace shoal::internal
