#include "shoal/dataflow/internal/actor_moves.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"

namespace shoal::internal {
namespace {

// Where an end was, and where it is.
struct new_place {
  std::uint32_t before = 0;
  end_place now;
};

void on_settled(graph_part::handle part, const std::vector<new_place>& inputs, const std::vector<new_place>& outputs) {
  for (const new_place& each : inputs) part->channels().inputs().note_place(each.before, each.now);
  for (const new_place& each : outputs) part->channels().outputs().note_place(each.before, each.now);
}

// Those of a moved actor's ends that have channels, taken up by its ports here.
template <class Moved, class End>
std::vector<new_place> take_ends(const moved_actor& what, const std::vector<Moved>& moved,
                                 const std::vector<End*>& ports, end_table<End>& table, pe_id here) {
  std::vector<new_place> places;
  for (const Moved& each : moved) {
    const auto its = std::ranges::find_if(ports, [&](const End* port) { return port->port_name() == each.its.port; });
    if (its == ports.end()) {
      end_job(status_usage, "actor " + what.name + " moves, and lacks port " + each.its.port +
                                " where it comes; let its constructor make the "
                                "same ports each time");
    }
    const std::uint32_t number = table.enter(**its);
    (*its)->unpack(each, number);
    places.push_back({each.its.number, {here, number, what.n_moves}});
  }
  return places;
}

template <class Moved, class End>
std::vector<Moved> pack_ends(const std::vector<End*>& ports, end_table<End>& table) {
  std::vector<Moved> moved;
  for (End* each : ports) {
    if (!each->has_channel()) continue;
    each->pack(moved.emplace_back());
    table.depart(each->number());
    each->detach();
  }
  return moved;
}

}  // namespace

void send_away(graph_part& part, dataflow::actor& its, pe_id to) {
  actor_node& node = its.node();
  moved_actor what;
  what.name = node.name();
  what.added_at = node.identity().added_at;
  what.from = part.home().my_pe();
  what.n_moves = node.identity().n_moves + 1;
  what.has_begun = node.identity().has_begun;
  what.share = node.cost().share();
  what.inputs = pack_ends<moved_input>(node.inputs(), part.channels().inputs());
  what.outputs = pack_ends<moved_output>(node.outputs(), part.channels().outputs());
  node.identity().mover->send(to, what, its);
  part.note_finished();
  part.drop(its);
}

void take_in(graph_part& part, const moved_actor& what, std::unique_ptr<dataflow::actor> made,
             std::unique_ptr<actor_mover> mover) {
  const pe_id here = part.home().my_pe();
  actor_node& node =
      part.enter(std::move(made), {what.name, what.added_at, std::move(mover), what.n_moves, true, what.has_begun});
  node.cost().bring_share(what.share);
  const auto inputs = take_ends(what, what.inputs, node.inputs(), part.channels().inputs(), here);
  const auto outputs = take_ends(what, what.outputs, node.outputs(), part.channels().outputs(), here);
  part.home().send<&on_settled>(what.from, part.its_handle(), inputs, outputs);
  for (const input_end* each : node.inputs()) part.channels().tell_place_of(*each);
  for (const output_end* each : node.outputs()) part.channels().tell_place_of(*each);
  announce_move(part, node);
  part.begin_if_connected(node);
  part.care().join_channels(what.name);
}

void refuse_state(const moved_actor& what) {
  end_job(status_usage, "actor " + what.name +
                            " moves, and its serialize does not read what it "
                            "has written; let it name the "
                            "same members in the same order");
}

}  // namespace shoal::internal
