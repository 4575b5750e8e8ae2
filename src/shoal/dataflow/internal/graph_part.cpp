#include "shoal/dataflow/internal/graph_part.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/measured_weights.hpp"
#include "shoal/task/internal/task_place.hpp"

namespace shoal::internal {

graph_part::graph_part(world& home, const std::string& name)
    : home_(home),
      is_shared_(home.chosen_settings().n_workers.value > 1),
      care_(*this),
      balance_(*this),
      repartitions_(*this),
      ready_(is_shared_),
      channels_(home, name, *this) {}

graph_part::~graph_part() = default;

// --- Its actors

void graph_part::adopt(std::unique_ptr<dataflow::actor> its, actor_identity identity) {
  actor_node& node = enter(std::move(its), std::move(identity));
  begin_if_connected(node);
  announce_actor(*this, node);  // until then, nothing can destroy it
}

actor_node& graph_part::enter(std::unique_ptr<dataflow::actor> its, actor_identity identity) {
  actor_node& node = its->node();
  node.join(*this, std::move(identity), is_shared_);
  if (const std::string twice = node.port_named_twice(); !twice.empty()) {
    end_job(status_usage, "add (" + node.identity().added_at + "): actor " + node.name() + " has two ports " + twice +
                              "; give each port of an actor a name of its own");
  }
  by_name_.emplace(node.name(), its.get());
  actors_.push_back(std::move(its));
  n_live_.fetch_add(1, std::memory_order_acq_rel);
  return node;
}

void graph_part::drop(dataflow::actor& its) {
  if (is_recorded_) note_measured(its, gone_actors_, gone_channels_);
  by_name_.erase(its.name());
  const auto place = std::ranges::find(actors_, &its, [](const auto& each) { return each.get(); });
  std::swap(*place, actors_.back());
  actors_.pop_back();
}

dataflow::actor* graph_part::find(std::string_view name) const {
  const auto its = by_name_.find(name);
  return its == by_name_.end() ? nullptr : its->second;
}

std::string graph_part::unserved_request() const {
  const std::string unknown = names_.first_waiting();
  return unknown.empty() ? care_.first_waiting() : unknown;
}

std::string graph_part::missing_port() const {
  for (const auto& each : actors_) {
    const actor_node& node = each->node();
    if (node.has_started()) continue;
    if (std::string ports = node.missing_ports(); !ports.empty())
      return "actor " + node.name() + ": no channel is connected to " + ports +
             "; connect each, or make the port optional";
  }
  return {};
}

void graph_part::note_measured(dataflow::actor& its, std::vector<measured_actor>& actors,
                               std::vector<measured_channel>& channels) {
  actors.push_back({its.name(), its.node().cost().total_ns()});
  for (const output_end* each : its.node().outputs()) {
    if (each->n_counted() != 0) channels.push_back({its.name(), each->port_name(), each->n_counted()});
  }
}

void graph_part::measured(std::vector<measured_actor>& actors, std::vector<measured_channel>& channels) const {
  actors = gone_actors_;
  channels = gone_channels_;
  for (const auto& each : actors_) note_measured(*each, actors, channels);
}

// --- Running it

void graph_part::begin(const std::source_location& where) {
  where_ = where;
  is_running_ = true;
  balance_.begin();
  for (const auto& each : actors_) begin_if_connected(each->node());
}

void graph_part::begin_if_connected(actor_node& its) {
  if (!is_running_ || its.has_started() || its.has_finished()) return;
  if (its.identity().has_begun || its.missing_ports().empty()) its.start();  // one that has begun may have closed some
}

// A task for each actor that is due; which task runs which actor does not matter. Tasks that are begun last run first,
// but actors take turns. An act may open a scope of tasks, which need not wait for the actors that it writes to.
void graph_part::become_ready(actor_node& due) noexcept {
  ready_.push(due);
  const task_place place = place_outside_scopes("act", where_);
  place.here.spawn([this] { run_next(); }, place.group, where_);
}

void graph_part::run_next() {
  if (actor_node* const its = ready_.pop()) its->run();
  if (balance_.is_on()) [[unlikely]]
    balance_.note_act(ready_.is_empty());
}

// --- Care

// In a handler, where sends do not wait: handlers that ran meanwhile could destroy what is tended.
void graph_part::care_later(const std::string& name) {
  home_.send<&graph_part::on_care>(home_.my_pe(), *handle_, name);
}

void graph_part::care_for_blocked_later() { care_later({}); }

void graph_part::on_care(handle part, const std::string& name) {
  if (!name.empty()) part->care_.tend(name);
  part->care_.tend_blocked();  // the act that has ended may be what others waited for
}

}  // namespace shoal::internal
