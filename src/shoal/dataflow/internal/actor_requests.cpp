#include "shoal/dataflow/internal/actor_requests.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {
namespace {

using part_handle = graph_part::handle;

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

[[noreturn]] void refuse_second(const channel_end& port, const char* direction, const channel_request& asked) {
  end_job(status_usage, port.describe() + ": has a channel already, " + direction + " " + port.other_actor() + "." +
                            port.other_port() + "; a port has one: " + asked.describe());
}

pe_id home_of(const graph_part& part, const std::string& name) {
  return actor_names::home_of(name, part.home().n_pes());
}

// An actor that acts may look at its ports.
bool may_open(const graph_part& part, const channel_end& port) {
  return !port.has_channel() && (!part.is_shared() || !port.node().has_started());
}

void on_returned(part_handle part, const actor_request& what);

void on_asked(part_handle part, const actor_request& what) {
  if (part->find(what.name) == nullptr) {
    return part->home().send<&on_returned>(home_of(*part, what.name), part, what);
  }
  if (what.what == actor_request::kind::open_reader) {
    const input_end& port = reader_of(*part, what.channel);
    if (may_open(*part, port)) return open_reader(*part, what.channel);
    if (!part->is_running()) refuse_second(port, "from", what.channel);
  } else if (what.what == actor_request::kind::connect_writer) {
    const output_end& port = writer_of(*part, what.channel);
    if (may_open(*part, port)) return connect_writer(*part, what.channel);
    if (!part->is_running()) refuse_second(port, "to", what.channel);
  }
  part->care().ask(what);
}

bool is_of_channel(const actor_request& what) {
  return what.what == actor_request::kind::open_reader || what.what == actor_request::kind::connect_writer;
}

void pass_on(part_handle part, const actor_names::place& its, actor_request what) {
  what.n_moves = its.n_moves;
  part->home().send<&on_asked>(its.pe, part, what);
}

void pass_on_all(part_handle part, actor_names::place& its) {
  for (actor_request& each : std::exchange(its.waiting, {})) pass_on(part, its, std::move(each));
}

void on_request(part_handle part, const actor_request& what) {
  actor_names::place& its = part->names().of(what.name);
  if (its.pe >= 0) return pass_on(part, its, what);
  if (!its.has_left || is_of_channel(what)) its.waiting.push_back(what);
}

// The actor was not there any more. If nothing is known of where it has gone, the request waits for that news: asking
// again at once could go on before the news is ever read.
void on_returned(part_handle part, const actor_request& what) {
  actor_names::place& its = part->names().of(what.name);
  if (its.pe < 0 || its.n_moves != what.n_moves) return on_request(part, what);
  its.waiting.push_back(what);
}

void on_known(part_handle part, const std::string& name) {
  part->node_of(name).identity().is_known = true;
  part->care().tend(name);
}

void on_added(part_handle part, const std::string& name, pe_id pe, const std::string& added_at) {
  actor_names::place& its = part->names().of(name);
  if (its.pe >= 0 || its.has_left) {
    end_job(status_usage, "add (" + added_at + "): there is an actor " + name + " already, added at " + its.added_at +
                              "; give each actor of a graph a name of its own");
  }
  its.pe = pe;
  its.n_moves = 0;
  its.added_at = added_at;
  part->home().send<&on_known>(pe, part, name);
  pass_on_all(part, its);
}

void on_moved(part_handle part, const std::string& name, pe_id pe, std::uint32_t n_moves) {
  actor_names::place& its = part->names().of(name);
  if (its.has_left || n_moves <= its.n_moves) return;  // overtaken by later news
  its.pe = pe;
  its.n_moves = n_moves;
  pass_on_all(part, its);
}

void on_end(part_handle part, const std::string& name) {
  actor_names::place& its = part->names().of(name);
  its.pe = -1;
  its.has_left = true;
  std::erase_if(its.waiting, [](const actor_request& each) { return !is_of_channel(each); });
}

void on_connected(part_handle part, std::uint32_t reader_number, const end_place& writer) {
  input_end* const reader = part->channels().inputs().find(reader_number);
  if (reader == nullptr) {
    return part->channels().inputs().follow(reader_number, [part, writer](const end_place& now) {
      part->home().send<&on_connected>(now.pe, part, now.number, writer);
    });
  }
  reader->connect(writer);
  if (reader->is_closing()) part->care_later(reader->node().name());
  // The writer may know an earlier place of it.
  if (reader->node().identity().n_moves > 0) part->channels().tell_place_of(*reader);
  part->begin_if_connected(reader->node());
}

}  // namespace

input_end& reader_of(const graph_part& part, const channel_request& asked) {
  return required_port(part.node_of(asked.to).inputs(), asked.to, asked.in, "in-port", asked);
}
output_end& writer_of(const graph_part& part, const channel_request& asked) {
  return required_port(part.node_of(asked.from).outputs(), asked.from, asked.out, "out-port", asked);
}

void announce_actor(const graph_part& part, const actor_node& its) {
  part.home().send<&on_added>(home_of(part, its.name()), part.its_handle(), its.name(), part.home().my_pe(),
                              its.identity().added_at);
}

void announce_move(const graph_part& part, const actor_node& its) {
  part.home().send<&on_moved>(home_of(part, its.name()), part.its_handle(), its.name(), part.home().my_pe(),
                              its.identity().n_moves);
}

void announce_end(const graph_part& part, const actor_node& its) {
  part.home().send<&on_end>(home_of(part, its.name()), part.its_handle(), its.name());
}

void ask_actor(const graph_part& part, const actor_request& what) {
  part.home().send<&on_request>(home_of(part, what.name), part.its_handle(), what);
}

void open_reader(graph_part& part, const channel_request& asked) {
  input_end& its = reader_of(part, asked);
  its.open(asked, part.channels().inputs().enter(its));
  actor_request next{actor_request::kind::connect_writer, asked.from, asked, -1, {}};
  next.channel.reader = {part.home().my_pe(), its.number(), its.node().identity().n_moves};
  next.channel.token_type = its.token_type().name();
  if (its.node().has_finished()) its.close();
  ask_actor(part, next);
}

void connect_writer(graph_part& part, const channel_request& asked) {
  output_end& its = writer_of(part, asked);
  if (its.token_type().name() != asked.token_type) {
    end_job(status_usage, asked.describe() + ": the out-port has tokens of type " +
                              readable_type_name(its.token_type().name()) + ", and the in-port of type " +
                              readable_type_name(asked.token_type.c_str()));
  }
  const pe_id here = part.home().my_pe();
  part.weights().note(asked.weight, asked.reader.pe != here);
  const std::uint32_t number = part.channels().outputs().enter(its);
  input_end* const reader = asked.reader.pe == here ? part.channels().inputs().find(asked.reader.number) : nullptr;
  // An actor that acts on another worker may be closing the port: then the channel is one of messages.
  const bool is_near = reader != nullptr && (!part.is_shared() || !reader->node().has_started());
  if (is_near) {
    its.connect(asked, *reader, number);
    reader->connect(its);
    if (reader->is_closing()) part.care_later(reader->node().name());
    part.begin_if_connected(reader->node());
  } else {
    its.connect(asked, number);
    part.home().send<&on_connected>(asked.reader.pe, part.its_handle(), asked.reader.number,
                                    end_place{here, number, its.node().identity().n_moves});
  }
  if (its.node().has_finished()) {
    its.close();
    part.care_later(its.node().name());
  }
  its.node().note_change();
  part.begin_if_connected(its.node());
}

}  // namespace shoal::internal
