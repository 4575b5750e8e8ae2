#include "shoal/dataflow/internal/actor_names.hpp"

#include <cstdint>
#include <functional>

namespace shoal::internal {

std::string actor_names::first_waiting() const {
  for (const auto& [name, its] : places_) {
    if (its.waiting.empty()) continue;
    return its.waiting.front().describe() +
           (its.has_left ? ": actor " + name + " has left" : ": no actor " + name + " was added");
  }
  return {};
}

// All PEs run one binary, so they hash alike.
pe_id actor_names::home_of(const std::string& name, pe_id n_pes) noexcept {
  return static_cast<pe_id>(std::hash<std::string>{}(name) % static_cast<std::uint64_t>(n_pes));
}

}  // namespace shoal::internal
