#include "shoal/conveyor/kinds/exstack.hpp"

#include <exception>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/kinds/internal/lockstep.hpp"

namespace shoal {

using namespace internal;

namespace {

constexpr std::string_view exstack_kind = "exstack";
constexpr std::uint32_t has_more = 1;

constexpr std::string_view name_of(exstack_state state) {
  constexpr std::string_view names[] = {"working", "complete", "cleared"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

exstack_base::exstack_base(shoal::internal::exchange& through) noexcept
    : n_pushable_(static_cast<std::uint64_t>(through.n_pes())), exchange_(through) {}

void exstack_base::check_end() const noexcept {
  const std::size_t n_outgoing = boxes_->n_outgoing();
  const std::size_t n_unread = boxes_->n_unread();
  if (n_outgoing + n_unread == 0 || std::uncaught_exceptions() != 0) return;
  end_job(status_usage, "exstack: destroyed with items not exchanged (" + std::to_string(n_outgoing) +
                            ") or not popped (" + std::to_string(n_unread) + "); call clear to drop them");
}

void exstack_base::refuse(std::string_view call) const { refuse_call(exstack_kind, call, name_of(state_)); }

void exstack_base::require_in_range(pe_id pe, std::string_view call) const {
  require(state_ != exstack_state::cleared, call);
  if (pe < 0 || pe >= exchange_.n_pes()) refuse_target(exstack_kind, call, pe, exchange_);
}

void exstack_base::refuse_push(pe_id target) const {
  require(state_ == exstack_state::working, "push");
  refuse_target(exstack_kind, "push to", target, exchange_);
}

bool exstack_base::proceed(bool im_done) {
  require(state_ != exstack_state::cleared, "proceed");
  if (state_ == exstack_state::complete) return false;
  require_main_program(exchange_, exstack_kind, "proceed");
  is_done_ = is_done_ || im_done;
  const delivery::collective_wait note(exchange_.now(), "proceed of exstack");
  const std::uint32_t all = fold_flags(exchange_, conveyor_call::exstack_proceed, serial_, is_done_ ? 0 : has_more);
  if (all != 0) return true;
  if (const std::size_t n = boxes_->n_outgoing(); n != 0) {
    end_job(status_usage, "exstack: all PEs are done, and " + std::to_string(n) +
                              " items were pushed but not exchanged; exchange before you say done");
  }
  state_ = exstack_state::complete;
  n_pushable_ = 0;
  return false;
}

void exstack_base::exchange() {
  require(state_ == exstack_state::working, "exchange");
  require_main_program(exchange_, exstack_kind, "exchange");
  if (const std::size_t n = boxes_->n_unread(); n != 0) {
    end_job(status_usage, "exstack: exchange with " + std::to_string(n) +
                              " items of the last one not popped, which would be lost; pop them first");
  }
  const delivery::collective_wait note(exchange_.now(), "exchange of exstack");
  boxes_->carry();
}

std::size_t exstack_base::headroom(pe_id target) const {
  require_in_range(target, "headroom of");
  return n_pushable_ == 0 ? 0 : boxes_->room(target);
}

std::size_t exstack_base::min_headroom() const noexcept { return n_pushable_ == 0 ? 0 : boxes_->min_room(); }

bool exstack_base::unpop() {
  require(state_ != exstack_state::cleared, "unpop");
  return boxes_->put_back();
}

bool exstack_base::unpop_to(pe_id source) {
  require_in_range(source, "unpop to");
  return boxes_->put_back(source);
}

void exstack_base::restart() {
  boxes_->drop();
  state_ = exstack_state::working;
  n_pushable_ = static_cast<std::uint64_t>(exchange_.n_pes());
  is_done_ = false;
}

void exstack_base::stop() noexcept {
  boxes_->drop();
  state_ = exstack_state::cleared;
  n_pushable_ = 0;
}

}  // namespace shoal
