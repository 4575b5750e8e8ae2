#include "shoal/conveyor/kinds/biconveyor.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"

namespace shoal {

using namespace internal;

namespace {

constexpr const char* kind = "biconveyor";

std::uint32_t checked_window(std::uint32_t window) {
  if (window != 0 && window != UINT32_MAX) return window;
  end_job(status_usage, "biconveyor: a window of " + std::to_string(window) +
                            " queries is out of range; it is at least 1 and less than 2^32 - 1");
}

}  // namespace

biconveyor_base::biconveyor_base(exchange& through, const biconveyor_options& options)
    : window_(checked_window(options.window)), exchange_(through), present_(window_ / 64 + 1) {}

void biconveyor_base::check_end() const noexcept { check_destruction(kind, state_); }

void biconveyor_base::refuse(std::string_view call) const { refuse_call(kind, call, name_of(state_)); }

void biconveyor_base::refuse_push(pe_id target) const {
  require(state_ == conveyor_state::working, "push");
  refuse_target(kind, "push to", target, exchange_);
}

void biconveyor_base::begin_session(std::function<void()> answer_arrived) {
  require(state_ == conveyor_state::dormant, "begin");
  queries_->begin();
  replies_->begin();
  answer_arrived_ = std::move(answer_arrived);
  n_pushable_ = static_cast<std::uint64_t>(exchange_.n_pes());
  state_ = conveyor_state::working;
  ++counts_.n_sessions;
}

// Answers are the program's functions and may throw; whatever runs after one is no answer.
void biconveyor_base::answer_queries() {
  struct marks {
    biconveyor_base& of;
    explicit marks(biconveyor_base& b) : of(b) {
      of.is_answering_ = true;
      of.exchange_.now().begin_answers(kind);
    }
    ~marks() {
      of.exchange_.now().end_answers();
      of.is_answering_ = false;
    }
  } const while_answering(*this);
  answer_arrived_();
}

progress biconveyor_base::advance(bool is_done) {
  require(state_ != conveyor_state::dormant, "advance");
  require_main_program(exchange_, kind, "advance");
  if (is_answering_) {
    end_job(status_usage, "biconveyor: advance in an answer, which is called in advance; an answer may push");
  }
  ++counts_.n_advances;
  if (is_done && state_ == conveyor_state::working) {
    state_ = conveyor_state::endgame;
    n_pushable_ = 0;
  }
  if (queries_->state() != conveyor_state::complete) {
    queries_->advance(state_ != conveyor_state::working);
  }
  answer_queries();

  // Once no PE will ask this one any more and it owes no answer, it has sent its last reply. Once all PEs have, all its
  // own queries are answered.
  const bool has_replied = queries_->state() == conveyor_state::complete && !has_kept_;
  if (replies_->state() != conveyor_state::complete) replies_->advance(has_replied);
  take_replies();
  if (replies_->state() != conveyor_state::complete) return progress::working;
  state_ = n_in_flight_ != 0 ? conveyor_state::cleanup : conveyor_state::complete;
  return n_in_flight_ != 0 ? progress::cleanup : progress::complete;
}

void biconveyor_base::reset() {
  require(state_ == conveyor_state::complete || state_ == conveyor_state::dormant, "reset");
  queries_->reset();
  replies_->reset();
  answer_arrived_ = nullptr;
  state_ = conveyor_state::dormant;
}

biconveyor_counts biconveyor_base::counts() const noexcept {
  biconveyor_counts counts = counts_;
  counts.queries = queries_->counts();
  counts.replies = replies_->counts();
  return counts;
}

}  // namespace shoal
