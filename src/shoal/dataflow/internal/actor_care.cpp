#include "shoal/dataflow/internal/actor_care.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/internal/actor_moves.hpp"
#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {
namespace {

bool has_channels(const actor_node& its) noexcept {
  const auto has = [](const channel_end* each) { return each->has_channel(); };
  return std::ranges::any_of(its.inputs(), has) || std::ranges::any_of(its.outputs(), has);
}

bool has_closing(const actor_node& its) noexcept {
  const auto closes = [](const channel_end* each) { return each->is_closing(); };
  return std::ranges::any_of(its.inputs(), closes) || std::ranges::any_of(its.outputs(), closes);
}

}  // namespace

// Actors that do not act while it lives.
class actor_care::held_actors {
public:
  held_actors() = default;
  ~held_actors() {
    for (actor_node* each : held_) each->release();
  }
  held_actors(const held_actors&) = delete;
  held_actors& operator=(const held_actors&) = delete;

  // False: it acts.
  bool add(actor_node& its) {
    if (std::ranges::find(held_, &its) != held_.end()) return true;
    if (!its.try_hold()) return false;
    held_.push_back(&its);
    return true;
  }
  // Meanwhile no act of it or of those on this PE with whom it shares channels changes these. False: one of them acts.
  bool add_with_neighbours(actor_node& its) {
    if (!add(its)) return false;
    const auto holds_writer = [&](const input_end* each) {
      return each->near_writer() == nullptr || add(each->near_writer()->node());
    };
    const auto holds_reader = [&](const output_end* each) {
      return each->near_reader() == nullptr || add(each->near_reader()->node());
    };
    return std::ranges::all_of(its.inputs(), holds_writer) && std::ranges::all_of(its.outputs(), holds_reader);
  }
  // It is about to be destroyed.
  void forget(const actor_node& its) noexcept { std::erase(held_, &its); }

private:
  std::vector<actor_node*> held_;
};

void actor_care::ask(const actor_request& what) {
  wishes& its = wishes_[what.name];
  switch (what.what) {
    case actor_request::kind::move:
      if (part_.node_of(what.name).identity().mover == nullptr) {
        end_job(status_usage, what.describe() + ": its type has no serialize, so it stays where it is; give it one");
      }
      its.move_to = what.to;
      break;
    case actor_request::kind::leave: its.is_to_leave = true; break;
    default: its.for_ports.push_back(what);
  }
  tend(what.name);
}

// What was sent by the way of messages comes soon. A channel in which there is always something under way goes on so.
void actor_care::join_channels(const std::string& name) {
  constexpr int n_looks_most = 16;
  wishes_[name].n_joins_left = n_looks_most;
  tend(name);
}

std::string actor_care::first_waiting() const {
  for (const auto& [name, its] : wishes_) {
    if (its.for_ports.empty()) continue;
    return its.for_ports.front().describe() + ": the port of " + name + " has another channel; close that";
  }
  return {};
}

void actor_care::tend_blocked() {
  for (const std::string& each : std::exchange(blocked_, {})) tend(each);
}

void actor_care::tend(const std::string& name) {
  dataflow::actor* const of = part_.find(name);
  if (of == nullptr || !of->node().identity().is_known) return;
  actor_node& node = of->node();
  held_actors held;
  if (!held.add_with_neighbours(node)) {
    blocked_.insert(name);
    return;
  }
  const auto wish = wishes_.find(name);
  if (wish != wishes_.end() && wish->second.is_to_leave && !node.is_leaving()) {
    if (!take_from_list(node)) return part_.care_later(name);
    node.finish_for_ever();
  }
  detach_closed(node);
  const bool is_served = wish != wishes_.end() && serve_ports(wish->second.for_ports);
  const bool leaves = node.is_leaving() && !has_channels(node);
  if (wish != wishes_.end() && wish->second.move_to == part_.home().my_pe()) wish->second.move_to = -1;
  const bool moves = wish != wishes_.end() && !node.has_finished() && wish->second.move_to >= 0;
  if (!leaves && !moves) {
    bool is_joined = true;
    if (wish != wishes_.end() && wish->second.n_joins_left > 0) {
      is_joined = --wish->second.n_joins_left == 0 || join_channels(node, held);
      if (is_joined) wish->second.n_joins_left = 0;
    }
    if (is_joined && wish != wishes_.end() && wish->second.for_ports.empty()) wishes_.erase(wish);
    return node.want_care(has_closing(node) || !is_joined);
  }
  // Who has just become its neighbour by a new channel is not held.
  if (is_served || !take_from_list(node)) return part_.care_later(name);
  held.forget(node);
  pe_id to = -1;
  if (wish != wishes_.end()) {
    to = wish->second.move_to;
    for (const actor_request& each : wish->second.for_ports) ask_actor(part_, each);
    wishes_.erase(wish);
  }
  if (!leaves) return move(*of, to);
  announce_end(part_, node);
  part_.drop(*of);
}

// Of an actor that is held. Those whose other ends are here, too, and that know it or not.
bool actor_care::join_channels(actor_node& its, held_actors& held) {
  const pe_id here = part_.home().my_pe();
  bool is_joined = true;
  const auto join = [&](input_end& reader, output_end& writer, actor_node& other) {
    if (reader.near_writer() != nullptr || !reader.is_connected() || !writer.is_connected()) return;
    is_joined &= held.add(other) && reader.meet_writer(writer);
  };
  for (input_end* each : its.inputs()) {
    if (each->other().pe != here) continue;
    if (output_end* const writer = part_.channels().outputs().find(each->other().number))
      join(*each, *writer, writer->node());
  }
  for (output_end* each : its.outputs()) {
    if (each->other().pe != here) continue;
    if (input_end* const reader = part_.channels().inputs().find(each->other().number))
      join(*reader, *each, reader->node());
  }
  return is_joined;
}

// False: a worker is about to put it into the list.
bool actor_care::take_from_list(const actor_node& its) { return !its.is_in_list() || part_.take_from_list(its); }

bool actor_care::is_moving(const std::string& name) const {
  const auto its = wishes_.find(name);
  return its != wishes_.end() && its->second.move_to >= 0;
}

void actor_care::detach_closed(actor_node& its) {
  for (input_end* each : its.inputs()) {
    if (each->may_detach()) detach(*each);
  }
  for (output_end* each : its.outputs()) {
    if (each->is_closing()) detach(*each);
  }
}

void actor_care::detach(input_end& its) {
  part_.channels().inputs().leave(its.number());
  its.detach();
}

void actor_care::detach(output_end& its) {
  part_.channels().outputs().leave(its.number());
  its.detach();
}

// Channels that have been waiting for others at the same ports to end. Who asked for more than one at a port gets them
// in turn.
bool actor_care::serve_ports(std::vector<actor_request>& asked) {
  return 0 != std::erase_if(asked, [&](const actor_request& each) {
           if (each.what == actor_request::kind::open_reader) {
             input_end& port = reader_of(part_, each.channel);
             if (port.has_channel()) return false;
             open_reader(part_, each.channel);
           } else {
             output_end& port = writer_of(part_, each.channel);
             if (port.has_channel()) return false;
             connect_writer(part_, each.channel);
           }
           return true;
         });
}

void actor_care::move(dataflow::actor& its, pe_id to) {
  for (input_end* each : its.node().inputs()) {
    if (each->near_writer() != nullptr) each->part_from_writer();
  }
  for (output_end* each : its.node().outputs()) {
    if (each->near_reader() != nullptr) each->near_reader()->part_from_writer();
  }
  send_away(part_, its, to);
}

}  // namespace shoal::internal
