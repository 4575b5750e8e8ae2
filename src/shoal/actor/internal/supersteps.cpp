#include "shoal/actor/internal/supersteps.hpp"

#include <algorithm>
#include <string>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

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
      deferred_(std::make_unique<deferred_work>(through, *this)) {}

supersteps::~supersteps() { closures_.clear(); }  // they delist themselves

void supersteps::begin(const std::source_location& where) {
  caller_.require("finish");
  exchange_.watch().change_to(activity::main_in_supersteps);
  const std::size_t depth = scopes_.size();
  scopes_.push_back({.where = where, .mailboxes = {}});
  if (depth == 0) {
    for (superstep_part* m : rootless_) enlist(*m);
  }
  SHOAL_ASSERT(closures_.size() >= depth);
  if (closures_.size() > depth) {
    enlist(*closures_[depth].box);
  } else {
    try {
      // Its mailbox enlists itself in the scope that is open now.
      auto actor = std::make_unique<lambda_actor<world>>(home_, home_, "world");
      closures_.push_back({std::move(actor), scopes_.back().mailboxes.back()});
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
  scope& s = scopes_.back();
  const main_program::wait note(caller_, "finish", s.where);
  for (superstep_part* m : s.mailboxes) {
    SHOAL_ASSERT(m->is_in_scope() && m->depth() == scopes_.size() - 1);
    m->await_end();
  }
  await(s.mailboxes, collective_call::finish, s.where);
  for (superstep_part* m : s.mailboxes) m->end_superstep();
  s.mailboxes.clear();
}

void supersteps::break_off() noexcept {
  deferred_->drop();
  const std::source_location& where = scopes_.back().where;
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
  SHOAL_ASSERT(!scopes_.empty());
  for (superstep_part* m : scopes_.back().mailboxes) m->end_superstep();
  scopes_.pop_back();
  return_to_innermost();
  caller_.note_finish(scopes_.empty() ? std::source_location() : scopes_.back().where);
  if (!scopes_.empty()) return;
  exchange_.watch().change_to(activity::main_outside);
  for (superstep_part* m : rootless_) m->forget_close();
}

void supersteps::return_to_innermost() noexcept {
  if (scopes_.empty()) return set_main(nullptr, nullptr);
  const closures_of_depth& innermost = closures_[scopes_.size() - 1];
  set_main(innermost.actor.get(), innermost.box);
}

void supersteps::enlist(superstep_part& m) {
  if (scopes_.empty()) {
    rootless_.push_back(&m);
    return;
  }
  scopes_.back().mailboxes.push_back(&m);
  m.begin_superstep(scopes_.size() - 1, *hops_);
}

void supersteps::delist(superstep_part& m) noexcept {
  std::erase(rootless_, &m);
  for (scope& s : scopes_) std::erase(s.mailboxes, &m);
  m.leave();
}

void supersteps::close(std::span<superstep_part* const> mailboxes) {
  const main_program::wait note(caller_, "close or the destructor of an actor", {});
  for (superstep_part* m : mailboxes) {
    SHOAL_ASSERT(m->is_in_scope() && m->depth() < scopes_.size());
    m->await_end();
  }
  await(mailboxes, collective_call::close_mailbox, {});
  for (superstep_part* m : mailboxes) {
    m->close_superstep();
    std::erase(scopes_[m->depth()].mailboxes, m);
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
  for (const superstep_part* m : rootless_) m->record();
  for (const auto& each : closures_) each.box->record();
}

}  // namespace shoal::internal
