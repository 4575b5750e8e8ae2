/// Actors that move to another PE, and the ends of their channels.
#pragma once

#include <memory>
#include <string>

#include "shoal/base/types.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/actor_mover.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"
#include "shoal/dataflow/internal/moved_actor.hpp"

namespace shoal::internal {

/// Sends an actor that does not act, and whose channels have no near end, to another PE. It is no actor of this PE
/// afterwards.
void send_away(graph_part& part, dataflow::actor& its, pe_id to);
/// Takes in an actor that has come: `made` by its constructor, and with its state already.
void take_in(graph_part& part, const moved_actor& what, std::unique_ptr<dataflow::actor> made,
             std::unique_ptr<actor_mover> mover);
/// Ends the job: what its serialize has written does not read back.
[[noreturn, gnu::cold]] void refuse_state(const moved_actor& what);

}  // namespace shoal::internal
