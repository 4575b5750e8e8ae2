/// Sends an actor whose type is forgotten to another PE.
#pragma once

#include "shoal/base/types.hpp"

namespace shoal::dataflow {
class actor;
}

namespace shoal::internal {

struct moved_actor;

/// Knows how to make the actor anew: its type, and the arguments of its constructor.
class actor_mover {
public:
  virtual ~actor_mover() = default;
  actor_mover(const actor_mover&) = delete;
  actor_mover& operator=(const actor_mover&) = delete;

  /// Fills in the state of the actor, and sends all to PE `to`.
  virtual void send(pe_id to, moved_actor& what, dataflow::actor& its) const = 0;

protected:
  actor_mover() = default;
};

}  // namespace shoal::internal
