/// Finds out where the actors of a graph will live.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/dataflow/internal/actor_request.hpp"
#include "shoal/dataflow/placement.hpp"

namespace shoal::internal {

struct placed_actor {
  std::string name;
  double weight = 1;
  pe_id pe = -1;  // -1: where the placement puts it

  void serialize(auto& archive) { archive(name, weight, pe); }
};

/// Where a placement by the program puts an actor. Ends the job if there is no such PE. Local.
pe_id chosen_pe(const world& home, const std::string& graph, const dataflow::placement& how, const std::string& actor);

/// Gives each actor that a PE has declared its PE, and each channel the weight that counts. Collective, waits. Ends the
/// job if the placement makes no sense, with the name of the graph. The weight of the PE that has most, as a multiple
/// of the mean.
double place_actors(world& home, const std::string& graph, const dataflow::placement& how,
                    std::vector<placed_actor>& actors, std::vector<channel_request>& channels,
                    const std::source_location& where);

}  // namespace shoal::internal
