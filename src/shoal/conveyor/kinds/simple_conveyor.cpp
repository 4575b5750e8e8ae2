#include "shoal/conveyor/kinds/simple_conveyor.hpp"

#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/kinds/internal/lockstep.hpp"

namespace shoal {

using namespace internal;

namespace {

constexpr std::string_view simple_conveyor_kind = "simple_conveyor";

// The flags that PEs fold before each step.
constexpr std::uint32_t is_working = 1;  // may push more
constexpr std::uint32_t has_items = 2;  // pushed and not exchanged
constexpr std::uint32_t wants_exchange = 4;  // and wants them exchanged now
constexpr std::uint32_t has_unread = 8;  // arrived and not pulled, so their places are taken

}  // namespace

simple_conveyor_base::simple_conveyor_base(shoal::internal::exchange& through, bool is_steady) noexcept
    : exchange_(through), is_steady_(is_steady) {}

simple_conveyor_base::~simple_conveyor_base() { check_destruction(simple_conveyor_kind, state_); }

void simple_conveyor_base::refuse(std::string_view call) const {
  refuse_call(simple_conveyor_kind, call, name_of(state_));
}

void simple_conveyor_base::refuse_push(pe_id target) const {
  require(state_ == conveyor_state::working, "push");
  refuse_target(simple_conveyor_kind, "push to", target, exchange_);
}

void simple_conveyor_base::begin() {
  require(state_ == conveyor_state::dormant, "begin");
  boxes_->drop();
  n_pushable_ = static_cast<std::uint64_t>(exchange_.n_pes());
  state_ = conveyor_state::working;
  ++counts_.n_sessions;
}

progress simple_conveyor_base::advance(bool is_done) {
  require(state_ != conveyor_state::dormant, "advance");
  require_main_program(exchange_, simple_conveyor_kind, "advance");
  ++counts_.n_advances;
  if (is_done && state_ == conveyor_state::working) {
    state_ = conveyor_state::endgame;
    n_pushable_ = 0;
  }
  if (state_ < conveyor_state::cleanup) {
    const delivery::collective_wait note(exchange_.now(), "advance of simple_conveyor");
    const bool is_endgame = state_ == conveyor_state::endgame;
    std::uint32_t mine = is_endgame ? 0 : is_working;
    if (boxes_->n_outgoing() != 0) {
      mine |= has_items;
      if (is_steady_ || is_endgame || boxes_->min_room() == 0) mine |= wants_exchange;
    }
    if (boxes_->n_unread() != 0) mine |= has_unread;
    const std::uint32_t all = fold_flags(exchange_, conveyor_call::simple_conveyor_advance, serial_, mine);
    const bool is_exchanged = (all & wants_exchange) != 0 && (all & has_unread) == 0;
    if (is_exchanged) boxes_->carry();
    // The session is over when no PE may push and all items have been exchanged; an exchange empties all boxes.
    if ((all & is_working) != 0 || ((all & has_items) != 0 && !is_exchanged)) return progress::working;
  }
  if (state_ != conveyor_state::complete) {
    state_ = boxes_->n_unread() != 0 ? conveyor_state::cleanup : conveyor_state::complete;
  }
  return state_ == conveyor_state::complete ? progress::complete : progress::cleanup;
}

bool simple_conveyor_base::unpull() {
  require(state_ != conveyor_state::dormant, "unpull");
  if (state_ == conveyor_state::complete || !boxes_->put_back()) return false;
  ++counts_.n_unpulled;
  --counts_.n_pulled;
  return true;
}

void simple_conveyor_base::reset() {
  require(state_ == conveyor_state::complete || state_ == conveyor_state::dormant, "reset");
  state_ = conveyor_state::dormant;
}

}  // namespace shoal
