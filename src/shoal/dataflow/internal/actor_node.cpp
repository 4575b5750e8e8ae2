#include "shoal/dataflow/internal/actor_node.hpp"

#include <exception>
#include <set>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {

void actor_node::join(graph_part& part, std::string name, bool is_shared) {
  part_ = &part;
  name_ = std::move(name);
  is_shared_ = is_shared;
}

void actor_node::start() noexcept {
  has_started_ = true;
  state_.exchange(due, std::memory_order_acq_rel);  // so that it sees what has changed before
  become_ready();
}

bool actor_node::may_act() const noexcept {
  if (has_finished_) return false;
  if (rule_ == dataflow::firing::on_change) return true;
  for (const input_end* each : inputs_) {
    if (each->is_connected() && each->available() == 0) return false;
  }
  return true;
}

// Every change makes the actor due, even if the rule does not let it act: two ports may change at the same time, and then
// neither sees the other's token. `run` looks.
void actor_node::note_change_shared() noexcept {
  if (state_.fetch_or(due, std::memory_order_acq_rel) == idle) become_ready();
}

void actor_node::become_ready() noexcept { part_->become_ready(*this); }

void actor_node::run() {
  // What changed before this is seen now, and what changes from now on makes the actor due again.
  if (is_shared_) {
    state_.exchange(acting, std::memory_order_acq_rel);
  } else {
    state_.store(acting, std::memory_order_relaxed);
  }
  if (!std::exchange(has_begun_, true)) act(true);
  const bool acts = may_act();
  if (acts) {
    has_moved_ = false;
    act(false);
  }
  if (owes_) pay_writers();
  if (has_finished_) {
    for (input_end* each : inputs_) each->close();
    state_.store(due, std::memory_order_release);  // and stands in no list, so it never acts again
    return part_->note_finished();
  }
  // It may go on with the tokens that it has not read. If the act did nothing, only a change can let it do more.
  if (acts && rule_ == dataflow::firing::on_all_inputs && has_moved_ && may_act()) note_change();
  end_act();
}

void actor_node::act(bool is_first) {
  try {
    act_of_(of_, is_first);
  } catch (const std::exception& e) {
    end_job(status_failure, "actor " + name_ + (is_first ? ": start threw: " : ": act threw: ") + one_line(e.what()));
  } catch (...) {
    end_job(status_failure,
            "actor " + name_ + (is_first ? ": start" : ": act") + " threw something that is not a std::exception");
  }
}

void actor_node::pay_writers() {
  owes_ = false;
  for (input_end* each : inputs_) owes_ |= !each->pay_writer();
}

void actor_node::end_act() noexcept {
  std::uint8_t now = acting;
  if (is_shared_) {
    if (state_.compare_exchange_strong(now, idle, std::memory_order_acq_rel, std::memory_order_acquire)) return;
  } else {
    now = state_.load(std::memory_order_relaxed);
  }
  const bool is_due = now != acting && (is_shared_ || may_act());
  state_.store(is_due ? due : idle, std::memory_order_release);
  if (is_due) become_ready();
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
