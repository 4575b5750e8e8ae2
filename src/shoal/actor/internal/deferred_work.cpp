#include "shoal/actor/internal/deferred_work.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"

namespace shoal::internal {
namespace {

// Between two looks at what has arrived. More would let other PEs wait for their slots; fewer would look too often.
constexpr std::size_t n_items_per_turn = 256;

[[noreturn]] void refuse_defer_elsewhere(const std::string& name) {
  refuse_elsewhere("defer of " + name, "call async or world.defer instead");
}

}  // namespace

work_queue::work_queue(world& home, std::string name) : all_(home.scopes().deferred()), name_(std::move(name)) {
  home.require_main("constructing a work list");
}

work_queue::~work_queue() { SHOAL_ASSERT(!is_listed_); }

work_owner work_queue::leave_one(bool is_by_program) {
  if (other_worker() != nullptr) refuse_defer_elsewhere(name_);
  superstep_part* const whose = all_.sender_now();
  if (whose == nullptr) {
    end_job(status_usage,
            name_ + ": defer outside finish; nothing would wait for it, so leave work inside world.finish");
  }
  const work_owner owner(*whose, is_by_program && all_.is_main_now());
  whose->work().note_item_left(owner.is_of_main());
  if (!is_listed_) all_.enter(*this);
  return owner;
}

void work_queue::enter_list() {
  if (!is_listed_) all_.enter(*this);
}

superstep_part* work_queue::sender_now() const noexcept { return all_.sender_now(); }

work_owner work_queue::owner_now() const noexcept { return {*all_.sender_now(), all_.is_main_now()}; }

void work_queue::begin_item(work_owner whose) { all_.begin_item(whose); }

void work_queue::end_item(work_owner whose) noexcept { whose.mailbox().work().note_item_done(whose.is_of_main()); }

bool work_queue::is_of_another(work_owner whose) const noexcept { return owner_now() != whose; }

void work_queue::leave_one_of_many(std::vector<work_owner>& counted) {
  if (std::ranges::find(counted, owner_now()) == counted.end()) counted.push_back(leave_one());
}

void work_queue::refuse_key(std::size_t key, std::size_t n_keys) const {
  if (other_worker() != nullptr) refuse_defer_elsewhere(name_);
  end_job(status_usage, name_ + ": defer of key " + std::to_string(key) +
                            ", which is out of range; keys are less than " + std::to_string(n_keys));
}

void work_queue::require_keys(std::size_t n_keys, std::size_t n_keys_max) const {
  if (n_keys < n_keys_max) return;
  end_job(status_usage, name_ + ": " + std::to_string(n_keys) + " keys on one PE are too many; the most are " +
                            std::to_string(n_keys_max - 1));
}

void work_queue::end_life() noexcept {
  if (!is_listed_) return;
  if (!is_empty() && std::uncaught_exceptions() == 0) {
    end_job(status_usage, name_ + ": destroyed with work left; let it live until finish returns");
  }
  drop();
  all_.leave(*this);
}

deferred_work::deferred_work(exchange& through, supersteps& steps, main_program& caller)
    : exchange_(through), steps_(steps), caller_(caller) {
  exchange_.parts().spare.enter(*this);
}

deferred_work::~deferred_work() {
  exchange_.parts().spare.leave(*this);
  for (work_queue* each : listed_) each->list(false);  // a static one outlives its world
}

void deferred_work::enter(work_queue& with_items) {
  listed_.push_back(&with_items);
  with_items.list(true);
}

void deferred_work::leave(work_queue& queue) noexcept {
  std::erase(listed_, &queue);
  queue.list(false);
}

void deferred_work::drop() noexcept {
  for (work_queue* each : listed_) {
    each->drop();
    each->list(false);
  }
  listed_.clear();
}

superstep_part* deferred_work::sender_now() const noexcept { return steps_.home().teams().sender_now(); }

bool deferred_work::is_main_now() const noexcept { return steps_.home().teams().is_main_now(); }

// What was left in the supersteps of several worlds may be in one queue. Most items follow one of the same owner, and handlers
// that ran in between have left all as it was.
void deferred_work::begin_item(work_owner whose) {
  if (of_item_ != nullptr && whose == owner_of_item_) [[likely]]
    return;
  superstep_part& m = whose.mailbox();
  if (of_item_ != &m.steps()) {
    end_items();
    of_item_ = &m.steps();
  }
  owner_of_item_ = whose;
  of_item_->home().teams().work_in(of_item_, whose.is_of_main());
  of_item_->begin_work(m);
}

void deferred_work::end_items() noexcept {
  supersteps* const ended = std::exchange(of_item_, nullptr);
  if (ended == nullptr) return;
  ended->home().teams().work_in(nullptr, false);  // first, so that all worlds show what they show to the main program
  ended->return_to_innermost();
}

bool deferred_work::settle() { return steps_.close_what_is_due(); }

bool deferred_work::run() {
  bool has_moved = settle();
  for (std::size_t n = listed_.size(); n > 0 && !has_moved; --n) has_moved = run_next();
  return has_moved;
}

bool deferred_work::run_next() {
  if (next_ >= listed_.size()) next_ = 0;
  work_queue& its = *listed_[next_++];
  if (its.is_empty()) {
    --next_;
    leave(its);
    return false;
  }
  const stopwatch::lap lap(exchange_.parts().watch, activity::handlers);
  exchange_.now().begin_work(its.name().c_str());
  bool has_moved = false;
  try {
    has_moved = its.run(n_items_per_turn);
  } catch (const std::exception& e) {
    end_job(status_failure, its.name() + ": deferred work threw: " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, its.name() + ": deferred work threw something that is not a std::exception");
  }
  exchange_.now().end_work();
  end_items();
  return has_moved;
}

}  // namespace shoal::internal
