/// How actors that know each other by name alone find each other.
///
/// The PE that the hash of a name selects knows where the actor lives. A request goes there, waits until the actor
/// exists, and goes on to it. If the actor has moved meanwhile, the request comes back and tries again.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/dataflow/internal/actor_request.hpp"

namespace shoal::internal {

class actor_node;
class graph_part;
class input_end;
class output_end;

// All are legal on any worker, but for those that return or open ends.

/// Tells who looks after the actor's name that it lives here from now on.
void announce_actor(const graph_part& part, const actor_node& its);
/// The same of an actor that has come from another PE.
void announce_move(const graph_part& part, const actor_node& its);
/// The same of an actor that leaves.
void announce_end(const graph_part& part, const actor_node& its);

void ask_actor(const graph_part& part, const actor_request& what);

/// The port that a request names, of an actor that is here. Ends the job if there is none.
input_end& reader_of(const graph_part& part, const channel_request& asked);
output_end& writer_of(const graph_part& part, const channel_request& asked);

/// Opens the reader's end of a channel here, or connects the writer's end. The port is free.
void open_reader(graph_part& part, const channel_request& asked);
void connect_writer(graph_part& part, const channel_request& asked);

}  // namespace shoal::internal
