#include "shoal/dataflow/internal/actor_names.hpp"

#include <cstdint>
#include <functional>

namespace shoal::internal {

const actor_names::waiting_request* actor_names::first_waiting(std::string& name) const {
  for (const auto& [its, where] : places_) {
    if (where.waiting.empty()) continue;
    name = its;
    return &where.waiting.front();
  }
  return nullptr;
}

// All PEs run one binary, so they hash alike.
pe_id actor_names::home_of(const std::string& name, pe_id n_pes) noexcept {
  return static_cast<pe_id>(std::hash<std::string>{}(name) % static_cast<std::uint64_t>(n_pes));
}

}  // namespace shoal::internal
