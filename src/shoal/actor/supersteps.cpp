#include "shoal/actor/supersteps.hpp"

#include <algorithm>

#include "shoal/actor/main_program.hpp"
#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
#include "shoal/base/digest.hpp"
#include "shoal/conveyor/exchange.hpp"

namespace shoal {

class supersteps::messages_of final : public awaited_messages {
public:
  messages_of(std::span<mailbox* const> mailboxes, const adaptive_hops& hops) noexcept
      : mailboxes_(mailboxes), hops_(hops) {}

  bool are_gone() const noexcept override {
    return std::all_of(mailboxes_.begin(), mailboxes_.end(), [](const mailbox* m) { return m->stream_.is_empty(); });
  }

  void flush() noexcept override {
    for (mailbox* m : mailboxes_) m->stream_.flush();
  }

  wave_share share() const noexcept override {
    wave_share mine;
    for (const mailbox* m : mailboxes_) {
      const stream::hop_items now = m->stream_.items_of_hops();
      SHOAL_ASSERT(now.n_sent >= m->items_before_.n_sent && now.n_handled >= m->items_before_.n_handled);
      mine.n_sent += now.n_sent - m->items_before_.n_sent;
      mine.n_handled += now.n_handled - m->items_before_.n_handled;
      if (hops_.learns() && m->stream_.n_hops() == hops_.n_hops_learnt_from()) {
        mine.traffic = mine.traffic + (m->stream_.traffic() - m->traffic_before_);
      }
    }
    return mine;
  }

  // PEs that wait for different mailboxes have different digests.
  std::uint64_t digest() const noexcept {
    shoal::digest serials;
    for (const mailbox* m : mailboxes_) serials.add_word(m->stream_.serial() + 1);
    return serials.value();
  }

private:
  std::span<mailbox* const> mailboxes_;
  const adaptive_hops& hops_;
};

supersteps::supersteps(world& home, exchange& through, collectives& waves, main_program& caller, const settings& chosen)
    : home_(home), exchange_(through), caller_(caller), hops_(through, chosen), termination_(through, waves, hops_) {}

supersteps::~supersteps() { closures_.clear(); }  // they delist themselves

void supersteps::begin(const std::source_location& where) {
  caller_.require("finish");
  const std::size_t depth = scopes_.size();
  scopes_.push_back({.where = where, .mailboxes = {}});
  if (depth == 0) {
    for (mailbox* m : rootless_) enlist(*m);
  }
  SHOAL_ASSERT(closures_.size() >= depth);
  if (closures_.size() == depth) {
    // Constructed inside this scope, its mailbox enlists itself.
    auto actor = std::make_unique<lambda_actor<world>>(home_, home_, "world");
    closures_.push_back({std::move(actor), scopes_.back().mailboxes.back()});
  } else {
    enlist(*closures_[depth].box);
  }
}

void supersteps::await_all() {
  scope& s = scopes_.back();
  const main_program::wait note(caller_, "finish", s.where);
  for (mailbox* m : s.mailboxes) {
    SHOAL_ASSERT(m->is_in_scope_ && m->depth_ == scopes_.size() - 1);
    m->await();
  }
  await(s.mailboxes, collective_call::finish, s.where);
  for (mailbox* m : s.mailboxes) m->end_superstep();
  s.mailboxes.clear();
}

void supersteps::end() noexcept {
  SHOAL_ASSERT(!scopes_.empty());
  for (mailbox* m : scopes_.back().mailboxes) m->end_superstep();
  scopes_.pop_back();
  if (!scopes_.empty()) return;
  for (mailbox* m : rootless_) m->is_closed_ = false;  // as dormant now as those that nobody closed
}

void supersteps::enlist(mailbox& m) {
  if (scopes_.empty()) {
    rootless_.push_back(&m);
    return;
  }
  SHOAL_ASSERT(!m.is_in_scope_);
  scopes_.back().mailboxes.push_back(&m);
  m.begin_superstep(scopes_.size() - 1);
}

void supersteps::delist(mailbox& m) noexcept {
  m.record();
  std::erase(rootless_, &m);
  for (scope& s : scopes_) std::erase(s.mailboxes, &m);
  m.is_in_scope_ = false;
}

void supersteps::close(std::span<mailbox* const> mailboxes) {
  const main_program::wait note(caller_, "close or the destructor of an actor", {});
  for (mailbox* m : mailboxes) {
    SHOAL_ASSERT(m->is_in_scope_ && m->depth_ < scopes_.size());
    m->await();
  }
  await(mailboxes, collective_call::close_mailbox, {});
  for (mailbox* m : mailboxes) {
    m->end_superstep();
    m->is_closed_ = true;
    std::erase(scopes_[m->depth_].mailboxes, m);
  }
}

void supersteps::await(std::span<mailbox* const> mailboxes, collective_call call, const std::source_location& where) {
  messages_of all(mailboxes, hops_);
  termination_.await(all, call, all.digest(), where);
}

lambda_actor<world>& supersteps::closures() {
  if (scopes_.empty()) {
    end_job(status_usage, "world.send outside finish; nothing would wait for it, so send inside world.finish");
  }
  SHOAL_ASSERT(exchange_.now().running() == nullptr || handler_depth_ < scopes_.size());
  // A handler's closures belong to the superstep of the message it handles, which may be an outer one of
  // that in which the main program waits.
  return *closures_[exchange_.now().running() == nullptr ? scopes_.size() - 1 : handler_depth_].actor;
}

void supersteps::record_closures() const {
  for (const auto& each : closures_) each.box->record();
}

}  // namespace shoal
