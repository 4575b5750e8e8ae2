#include "shoal/actor/internal/supersteps.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

// A `finish` that is open on this PE.
struct supersteps::scope {
  std::source_location where;
  std::vector<superstep_part*> mailboxes;
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

  bool are_gone() const noexcept override {
    return std::all_of(mailboxes_.begin(), mailboxes_.end(), [](const superstep_part* m) { return m->is_empty(); });
  }

  void flush() noexcept override {
    for (superstep_part* m : mailboxes_) m->flush();
  }

  wave_share share() const noexcept override {
    wave_share mine;
    for (const superstep_part* m : mailboxes_) mine = mine + m->share(hops_);
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
};

supersteps::supersteps(world& home, exchange& through, collectives& waves, main_program& caller, const settings& chosen)
    : home_(home),
      exchange_(through),
      caller_(caller),
      hops_(std::make_unique<adaptive_hops>(through, chosen)),
      termination_(std::make_unique<termination>(through, waves, *hops_)),
      lists_(std::make_unique<lists>()),
      deferred_(std::make_unique<deferred_work>(through, *this)) {}

supersteps::~supersteps() { lists_->closures.clear(); }  // they delist themselves

void supersteps::begin(const std::source_location& where) {
  caller_.require("finish");
  exchange_.watch().change_to(activity::main_in_supersteps);
  const std::size_t depth = lists_->scopes.size();
  lists_->scopes.push_back({.where = where, .mailboxes = {}});
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
      end();
      throw;
    }
  }
  return_to_innermost();
  caller_.note_finish(where);
}

void supersteps::await_all() {
  caller_.require("finish");
  scope& s = lists_->scopes.back();
  const main_program::wait note(caller_, "finish", s.where);
  for (superstep_part* m : s.mailboxes) {
    SHOAL_ASSERT(m->is_in_scope() && m->depth() == lists_->scopes.size() - 1);
    m->await_end();
  }
  await(s.mailboxes, collective_call::finish, s.where);
  for (superstep_part* m : s.mailboxes) m->end_superstep();
  s.mailboxes.clear();
}

void supersteps::break_off() noexcept {
  deferred_->drop();
  const std::source_location& where = lists_->scopes.back().where;
  caller_.break_off("an exception left finish (" + std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                    "), in which the other PEs may wait; let it leave the program's body, too, or catch it in finish");
}

void supersteps::note_unwound(superstep_part& m, const std::string& name) noexcept {
  m.flush();
  const wave_share mine = m.share(*hops_);
  if (mine.n_sent == 0 && mine.n_handled == 0 && m.is_empty()) return;
  deferred_->drop();
  caller_.break_off(name + ": destroyed by an exception in its superstep, so messages are lost; catch the exception " +
                    "while the actor lives, or let it leave the program's body");
}

void supersteps::end() noexcept {
  SHOAL_ASSERT(!lists_->scopes.empty());
  for (superstep_part* m : lists_->scopes.back().mailboxes) m->end_superstep();
  lists_->scopes.pop_back();
  n_open_ = lists_->scopes.size();
  return_to_innermost();
  caller_.note_finish(lists_->scopes.empty() ? std::source_location() : lists_->scopes.back().where);
  if (!lists_->scopes.empty()) return;
  exchange_.watch().change_to(activity::main_outside);
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
  m.leave();
}

void supersteps::close(std::span<superstep_part* const> mailboxes) {
  const main_program::wait note(caller_, "close or the destructor of an actor", {});
  for (superstep_part* m : mailboxes) {
    SHOAL_ASSERT(m->is_in_scope() && m->depth() < lists_->scopes.size());
    m->await_end();
  }
  await(mailboxes, collective_call::close_mailbox, {});
  for (superstep_part* m : mailboxes) {
    m->close_superstep();
    std::erase(lists_->scopes[m->depth()].mailboxes, m);
  }
}

void supersteps::await(std::span<superstep_part* const> mailboxes, collective_call call,
                       const std::source_location& where) {
  messages_of all(mailboxes, *hops_);
  termination_->await(all, call, all.digest(), where);
}

void supersteps::sent_outside() noexcept {
  end_job(status_usage, "world.send outside finish; nothing would wait for it, so send inside world.finish");
}

void supersteps::record_living() const {
  for (const superstep_part* m : lists_->rootless) m->record();
  for (const auto& each : lists_->closures) each.box->record();
}

}  // namespace shoal::internal
