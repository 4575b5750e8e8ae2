#include "shoal/conveyor/internal/spill_graph.hpp"

namespace shoal::internal {

template <class Predicate>
bool spill_vertex::reaches(Predicate is_one) const {
  std::vector<const spill_vertex*> to_see{this};
  for (std::size_t i = 0; i < to_see.size(); ++i) {
    for (const spill_vertex* target : to_see[i]->sends_to_) {
      if (is_one(*target)) return true;
      if (std::ranges::find(to_see, target) == to_see.end()) to_see.push_back(target);
    }
  }
  return false;
}

bool spill_vertex::is_blocked() const {
  if (!may_overrun_) return std::ranges::any_of(sends_to_, [](const spill_vertex* v) { return v->has_spilled(); });
  return reaches([](const spill_vertex& v) { return v.has_spilled(); });
}

bool spill_vertex::is_on_cycle() const {
  return is_presumed_on_cycle_ || reaches([this](const spill_vertex& v) { return &v == this; });
}

}  // namespace shoal::internal
