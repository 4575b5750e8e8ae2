#include "shoal/dataflow/internal/actor_node.hpp"

#include <exception>
#include <set>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {

void actor_node::join(graph_part& part, actor_identity identity, bool is_shared) {
  part_ = &part;
  identity_ = std::move(identity);
  is_shared_ = is_shared;
  state_.join(is_shared);
  is_measured_ = part.is_measured();
}

// What has changed before is seen by its first act.
void actor_node::start() noexcept {
  has_started_ = true;
  state_.open();
  become_ready();
}

// It is held, and stands in no list.
void actor_node::finish_for_ever() {
  if (!has_finished_) {
    finish(true);
    end_life();
  }
  finish(true);
}

bool actor_node::may_act() const noexcept {
  if (has_finished_) return false;
  if (rule_ == dataflow::firing::on_change) return true;
  for (const input_end* each : inputs_) {
    if (each->is_connected() && each->available() == 0) return false;
  }
  return true;
}

void actor_node::become_ready() noexcept { part_->become_ready(*this); }

void actor_node::run() {
  if (!state_.begin()) return;
  if (!has_finished_ && !std::exchange(identity_.has_begun, true)) act(true);
  const bool acts = may_act();
  if (acts) {
    has_moved_ = false;
    act(false);
  }
  if (has_finished_) return end_life();
  if (owes_) pay_writers();
  if (wants_care_.load(std::memory_order_relaxed)) [[unlikely]]
    part_->care_later(name());
  // It may go on with the tokens that it has not read. If the act did nothing, only a change can let it do more.
  if (acts && rule_ == dataflow::firing::on_all_inputs && has_moved_ && may_act()) note_change();
  end_act();
}

// Once it does not act, the PE's own thread may destroy it.
void actor_node::end_act() {
  graph_part& part = *part_;
  const act_state::ended its = state_.end([this] { return may_act(); });
  if (its.is_due) part.become_ready(*this);
  if (its.is_awaited) [[unlikely]]
    part.care_for_blocked_later();
}

void actor_node::end_life() {
  for (input_end* each : inputs_) each->close();
  for (output_end* each : outputs_) each->close();
  graph_part& part = *part_;
  const std::string its_name = name();
  state_.end_for_ever();
  // From now on it may be destroyed.
  part.note_finished();
  part.care_later(its_name);
}

void actor_node::act(bool is_first) {
  try {
    if (is_measured_) [[unlikely]] {
      act_measured(is_first);
    } else {
      act_of_(of_, is_first);
    }
  } catch (const std::exception& e) {
    end_job(status_failure, "actor " + name() + (is_first ? ": start threw: " : ": act threw: ") + one_line(e.what()));
  } catch (...) {
    end_job(status_failure,
            "actor " + name() + (is_first ? ": start" : ": act") + " threw something that is not a std::exception");
  }
}

void actor_node::act_measured(bool is_first) {
  const std::uint64_t begin_ns = part_->stopwatch_ns();
  act_of_(of_, is_first);
  cost_.add(part_->stopwatch_ns() - begin_ns);
  for (output_end* each : outputs_) each->count_written();
}

void actor_node::pay_writers() {
  owes_ = false;
  for (input_end* each : inputs_) owes_ |= !each->pay_writer();
}

std::string actor_node::port_named_twice() const {
  std::set<std::string> names;
  const auto is_new = [&](const auto* port) { return names.insert(port->port_name()).second; };
  for (const input_end* each : inputs_) {
    if (!is_new(each)) return each->port_name();
  }
  names.clear();
  for (const output_end* each : outputs_) {
    if (!is_new(each)) return each->port_name();
  }
  return {};
}

std::string actor_node::missing_ports() const {
  std::string missing;
  const auto note = [&](const channel_end& port) {
    if (!port.is_required() || port.is_connected()) return;
    missing += (missing.empty() ? "" : ", ") + port.port_name();
  };
  for (const input_end* each : inputs_) note(*each);
  for (const output_end* each : outputs_) note(*each);
  return missing;
}

}  // namespace shoal::internal
