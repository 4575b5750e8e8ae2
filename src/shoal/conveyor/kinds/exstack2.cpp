#include "shoal/conveyor/kinds/exstack2.hpp"

#include <algorithm>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"

namespace shoal {

using namespace internal;

namespace {

constexpr std::string_view exstack2_kind = "exstack2";

}  // namespace

exstack2_base::exstack2_base(exchange& through, std::size_t capacity_items)
    : capacity_(capacity_items), n_gathered_(static_cast<std::size_t>(through.n_pes())), exchange_(through) {
  if (capacity_ == 0) end_job(status_usage, "exstack2: buffers of 0 items carry nothing; give it 1 or more");
}

void exstack2_base::check_end() const noexcept { check_destruction(exstack2_kind, state()); }

void exstack2_base::begin() {
  items_->begin();
  n_pushable_ = n_gathered_.size();
  std::fill(n_gathered_.begin(), n_gathered_.end(), 0);
}

void exstack2_base::admit(pe_id target, std::string_view call) {
  begin_if_dormant();
  if (state() != conveyor_state::working) {
    refuse_call(exstack2_kind, call.substr(0, call.find(' ')), name_of(state()));
  }
  if (static_cast<std::uint64_t>(target) >= n_pushable_) {
    refuse_target(exstack2_kind, call, target, exchange_);
  }
}

bool exstack2_base::proceed(bool im_done) {
  require_main_program(exchange_, exstack2_kind, "proceed");
  begin_if_dormant();
  if (im_done) n_pushable_ = 0;
  return items_->advance(im_done) != progress::complete;
}

void exstack2_base::send(pe_id target) {
  if (static_cast<std::uint64_t>(target) >= n_pushable_) admit(target, "send to");
  exchange_.flush();
  n_gathered_[static_cast<std::size_t>(target)] = 0;
}

bool exstack2_base::unpop() {
  begin_if_dormant();
  return items_->unpull();
}

void exstack2_base::reset() {
  if (state() != conveyor_state::dormant && state() != conveyor_state::complete) {
    refuse_call(exstack2_kind, "reset", name_of(state()));
  }
  items_->reset();
}

}  // namespace shoal
