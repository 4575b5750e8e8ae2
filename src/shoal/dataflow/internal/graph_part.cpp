#include "shoal/dataflow/internal/graph_part.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/task/internal/task_place.hpp"

namespace shoal::internal {
namespace {

// Null: the actor has no such port.
template <class End>
End* port_named(const std::vector<End*>& ports, const std::string& name) {
  const auto its = std::ranges::find_if(ports, [&](const End* each) { return each->port_name() == name; });
  return its == ports.end() ? nullptr : *its;
}

template <class End>
std::string names_of(const std::vector<End*>& ports) {
  std::string names;
  for (const End* each : ports) names += (names.empty() ? "" : ", ") + each->port_name();
  return names.empty() ? "none" : names;
}

// The port of an actor that a request names. Ends the job if there is none.
template <class End>
End& required_port(const std::vector<End*>& ports, const std::string& actor, const std::string& name, const char* kind,
                   const channel_request& asked) {
  if (End* const its = port_named(ports, name)) return *its;
  end_job(status_usage,
          asked.describe() + ": actor " + actor + " has no " + kind + " " + name + "; it has: " + names_of(ports));
}

}  // namespace

graph_part::graph_part(world& home, std::string name)
    : home_(home),
      is_shared_(home.chosen_settings().n_workers.value > 1),
      ready_(is_shared_),
      tokens_(home, name + ", tokens", {*this}),
      reads_(home, name + ", reads", {*this}) {}

graph_part::~graph_part() = default;

// --- Making the graph

void graph_part::adopt(std::string name, std::unique_ptr<dataflow::actor> its, const std::string& added_at) {
  actor_node& node = its->node();
  node.join(*this, std::move(name), is_shared_);
  if (const std::string twice = node.port_named_twice(); !twice.empty()) {
    end_job(status_usage, "add (" + added_at + "): actor " + node.name() + " has two ports " + twice +
                              "; give each port of an actor a name of its own");
  }
  by_name_.emplace(node.name(), its.get());
  actors_.push_back(std::move(its));
  n_live_.fetch_add(1, std::memory_order_acq_rel);
  begin_if_connected(node);
  home_.send<&graph_part::on_added>(actor_names::home_of(node.name(), home_.n_pes()), *handle_, node.name(),
                                    home_.my_pe(), added_at);
}

void graph_part::on_added(handle part, const std::string& name, pe_id pe, const std::string& added_at) {
  actor_names::place& its = part->names_.of(name);
  if (its.pe >= 0) {
    end_job(status_usage, "add (" + added_at + "): there is an actor " + name + " already, added at " + its.added_at +
                              "; give each actor of a graph a name of its own");
  }
  its.pe = pe;
  its.added_at = added_at;
  for (const actor_names::waiting_request& each : std::exchange(its.waiting, {})) part->pass_on(each, pe);
}

void graph_part::connect(channel_request asked) {
  const pe_id to = actor_names::home_of(asked.to, home_.n_pes());
  home_.send<&graph_part::on_request>(to, *handle_, asked, false);
}

void graph_part::on_request(handle part, const channel_request& asked, bool is_for_writer) {
  actor_names::place& its = part->names_.of(is_for_writer ? asked.from : asked.to);
  const actor_names::waiting_request request{asked, is_for_writer};
  if (its.pe < 0) return its.waiting.push_back(request);
  part->pass_on(request, its.pe);
}

void graph_part::pass_on(const actor_names::waiting_request& request, pe_id pe) {
  if (request.is_for_writer) return home_.send<&graph_part::on_writer>(pe, *handle_, request.asked);
  home_.send<&graph_part::on_reader>(pe, *handle_, request.asked);
}

actor_node& graph_part::node_of(const std::string& name) const { return by_name_.at(name)->node(); }

void graph_part::on_reader(handle part, const channel_request& asked) {
  const actor_node& node = part->node_of(asked.to);
  input_end& its = required_port(node.inputs(), asked.to, asked.in, "in-port", asked);
  its.open(asked);
  channel_request opened = asked;
  opened.reader_pe = part->home_.my_pe();
  opened.reader_number = static_cast<std::uint32_t>(part->inputs_.size());
  opened.token_type = its.token_type().name();
  part->inputs_.push_back(&its);
  part->home_.send<&graph_part::on_request>(actor_names::home_of(asked.from, part->home_.n_pes()), part, opened, true);
}

void graph_part::on_writer(handle part, const channel_request& asked) {
  actor_node& node = part->node_of(asked.from);
  output_end& its = required_port(node.outputs(), asked.from, asked.out, "out-port", asked);
  if (its.token_type().name() != asked.token_type) {
    end_job(status_usage, asked.describe() + ": the out-port has tokens of type " +
                              readable_type_name(its.token_type().name()) + ", and the in-port of type " +
                              readable_type_name(asked.token_type.c_str()));
  }
  if (asked.reader_pe == part->home_.my_pe()) {
    input_end& reader = *part->inputs_[asked.reader_number];
    its.connect(asked, reader);
    reader.connect(its);
    part->begin_if_connected(reader.node());
  } else {
    its.connect(asked);
    const auto number = static_cast<std::uint32_t>(part->outputs_.size());
    part->outputs_.push_back(&its);
    part->home_.send<&graph_part::on_connected>(asked.reader_pe, part, asked.reader_number, part->home_.my_pe(),
                                                number);
  }
  part->begin_if_connected(node);
}

void graph_part::on_connected(handle part, std::uint32_t reader_number, pe_id writer_pe, std::uint32_t writer_number) {
  input_end& reader = *part->inputs_[reader_number];
  reader.connect(writer_pe, writer_number);
  part->begin_if_connected(reader.node());
}

dataflow::actor* graph_part::find(std::string_view name) const {
  const auto its = by_name_.find(name);
  return its == by_name_.end() ? nullptr : its->second;
}

std::string graph_part::unknown_actor() const {
  std::string name;
  const actor_names::waiting_request* const its = names_.first_waiting(name);
  if (its == nullptr) return {};
  return its->asked.describe() + ": no actor " + name + " was added";
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

// --- Running it

void graph_part::begin(const std::source_location& where) {
  where_ = where;
  is_running_ = true;
  for (const auto& each : actors_) begin_if_connected(each->node());
}

void graph_part::begin_if_connected(actor_node& its) {
  if (is_running_ && !its.has_started() && its.missing_ports().empty()) its.start();
}

// A task for each actor that is due; which task runs which actor does not matter. Tasks that are begun last run first, but
// actors take turns. An act may open a scope of tasks, which need not wait for the actors that it writes to.
void graph_part::become_ready(actor_node& due) noexcept {
  ready_.push(due);
  const task_place place = place_outside_scopes("act", where_);
  place.here.spawn([this] { run_next(); }, place.group, where_);
}

void graph_part::run_next() {
  if (actor_node* const its = ready_.pop()) its->run();
}

// --- Messages of channels

void graph_part::take(const token_message& m) { inputs_[m.head.port]->arrive(m.head.number, m.bytes); }

void graph_part::take(const read_count& m) { outputs_[m.number]->note_read(m.n); }

void graph_part::tell_end_of_reader(pe_id writer_pe, std::uint32_t number) {
  home_.send<&graph_part::on_end_of_reader>(writer_pe, *handle_, number);
}

void graph_part::on_end_of_reader(handle part, std::uint32_t writer_number) {
  part->outputs_[writer_number]->note_end_of_reader();
}

}  // namespace shoal::internal
