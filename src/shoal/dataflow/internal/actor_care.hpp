/// What a PE's own thread does to its actors while they do not act: channels end, ports get other channels, actors
/// leave and move. docs/design/actor-graphs.md
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/dataflow/internal/actor_request.hpp"

namespace shoal::dataflow {
class actor;
}

namespace shoal::internal {

class actor_node;
class graph_part;
class input_end;
class output_end;

/// All functions are of the PE's own thread. What cannot be done now, since an actor acts on another worker, is done
/// when that act has ended.
class actor_care {
public:
  explicit actor_care(graph_part& part) noexcept : part_(part) {}

  /// A request that its actor cannot serve at once: it is to move or leave, or its port has another channel.
  void ask(const actor_request& what);
  /// An actor has come from another PE. Channels from and to actors of this PE need no messages any more, once nothing is under way.
  void join_channels(const std::string& name);
  /// Does what can be done for the actor of this name, if it is here.
  void tend(const std::string& name);
  /// The same for all that an act has kept from it.
  void tend_blocked();
  bool is_moving(const std::string& name) const;
  /// Says which channel waits for its port; empty: none does.
  std::string first_waiting() const;

private:
  class held_actors;
  struct wishes {
    pe_id move_to = -1;
    bool is_to_leave = false;
    int n_joins_left = 0;  // how often its channels are looked at
    std::vector<actor_request> for_ports;
  };

  void detach_closed(actor_node& its);
  void detach(input_end& its);
  void detach(output_end& its);
  bool serve_ports(std::vector<actor_request>& asked);  // whether a channel has begun
  bool take_from_list(const actor_node& its);
  bool join_channels(actor_node& its, held_actors& held);  // false: not all yet
  void move(dataflow::actor& its, pe_id to);

  graph_part& part_;
  std::unordered_map<std::string, wishes> wishes_;
  std::set<std::string> blocked_;  // actors that wait for an act to end
};

}  // namespace shoal::internal
