#include "shoal/conveyor/conveyor.hpp"

#include <cstring>
#include <string>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
#include "shoal/conveyor/exchange.hpp"

namespace shoal {
namespace {

constexpr std::string_view name_of(conveyor_state state) {
  constexpr std::string_view names[] = {"dormant", "working", "endgame", "cleanup", "complete"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

conveyor_base::conveyor_base(exchange& through, const item_kind& kind, const conveyor_options& options)
    : port_(through, {.kind = kind, .consumer = nullptr}),
      exchange_(through),
      options_(options),
      item_bytes_(kind.bytes),
      last_item_((kind.bytes + sizeof(line) - 1) / sizeof(line)) {}

void conveyor_base::require(bool is_legal, std::string_view call) const {
  if (is_legal) return;
  end_job(status_usage, "conveyor: " + std::string(call) + " is illegal while " +
                            std::string(name_of(state_)) + " (docs/contract.md has the states)");
}

void conveyor_base::pushed_wrongly(pe_id target) const {
  require(state_ == conveyor_state::working, "push");
  end_job(status_usage, "conveyor: push to PE " + std::to_string(target) +
                            ", which is out of range; PEs are 0 to " +
                            std::to_string(exchange_.n_pes() - 1));
}

void conveyor_base::begin() {
  require(state_ == conveyor_state::dormant, "begin");
  port_.begin_session();
  n_pushable_ = static_cast<std::uint64_t>(exchange_.n_pes());
  state_ = conveyor_state::working;
  has_sent_last_ = false;
  may_unpull_ = false;
  next_ = end_ = nullptr;
  patience_ = 0;
  ++counts_.n_sessions;
}

progress conveyor_base::advance(bool is_done) {
  require(state_ != conveyor_state::dormant, "advance");
  ++counts_.n_advances;
  if (state_ == conveyor_state::complete) return progress::complete;
  if (is_done && state_ == conveyor_state::working) {
    state_ = conveyor_state::endgame;
    n_pushable_ = 0;
  }
  const bool has_moved = exchange_.progress();
  if (state_ == conveyor_state::endgame && !has_sent_last_) has_sent_last_ = port_.try_send_last();
  if (options_.steady && state_ == conveyor_state::working) flush_stale();

  const bool is_drained = next_ == end_ && port_.pending().size() == (front_ != nullptr ? 1U : 0U);
  if (has_sent_last_ && port_.n_last_arrived() == static_cast<std::size_t>(exchange_.n_pes())) {
    // An item that could still be unpulled keeps nobody from completing.
    state_ = is_drained || !open_front() ? conveyor_state::complete : conveyor_state::cleanup;
    if (state_ == conveyor_state::cleanup) return progress::cleanup;
    if (front_ != nullptr) drop_front();
    while (!port_.pending().empty()) port_.drop_front(0);
    return progress::complete;
  }
  if (has_moved || !is_drained) {
    patience_ = 0;
  } else {
    exchange_.machine().pause(patience_);
  }
  return progress::working;
}

// A link whose buffer has not grown since we last looked, one round of links ago, is sent as it is. One
// link a call keeps the cost of advance constant; a PE with nothing else to do sends all.
void conveyor_base::flush_stale() {
  if (patience_ > 1) {
    port_.flush();
    return;
  }
  last_cursor_.resize(port_.n_links());
  const std::byte* cursor = port_.cursor_of(phase_);
  if (cursor != nullptr && cursor == last_cursor_[phase_]) port_.flush(phase_);
  last_cursor_[phase_] = port_.cursor_of(phase_);
  phase_ = phase_ + 1 == last_cursor_.size() ? 0 : phase_ + 1;
}

bool conveyor_base::open_front() {
  require(state_ != conveyor_state::dormant, "pull");
  if (state_ == conveyor_state::complete) return false;
  if (next_ != end_) return true;
  if (front_ != nullptr) {
    // The last item may still be unpulled, but its buffer must go back now: it may be the last credit that
    // its sender has. So the item moves into memory of our own.
    std::memcpy(last_item_.data(), end_ - item_bytes_, item_bytes_);
    drop_front();
    next_ = end_ = reinterpret_cast<const std::byte*>(last_item_.data()) + item_bytes_;
  }
  while (!port_.pending().empty()) {
    const buffer* front = port_.pending().front();
    if (front->header.n_items == 0) {
      port_.drop_front(0);
      continue;
    }
    front_ = front;
    source_ = front->header.source;
    next_ = front->payload();
    end_ = next_ + front->header.bytes;
    return true;
  }
  return false;
}

void conveyor_base::drop_front() {
  port_.drop_front(front_->header.n_items);
  front_ = nullptr;
}

bool conveyor_base::unpull() {
  require(state_ != conveyor_state::dormant, "unpull");
  if (!may_unpull_ || state_ == conveyor_state::complete) return false;
  next_ -= item_bytes_;
  may_unpull_ = false;
  ++counts_.n_unpulled;
  return true;
}

void conveyor_base::reset() {
  require(state_ == conveyor_state::complete || state_ == conveyor_state::dormant, "reset");
  state_ = conveyor_state::dormant;
  port_.end_session();
}

conveyor_counts conveyor_base::counts() const noexcept {
  conveyor_counts counts = counts_;
  const port_counts& buffers = port_.counts();
  counts.n_pushed = buffers.n_sent;
  counts.n_pulled = buffers.n_handled;
  counts.n_buffers = buffers.n_buffers;
  counts.n_bytes = buffers.n_bytes;
  return counts;
}

}  // namespace shoal
