#include "shoal/dataflow/actor.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::dataflow {

actor::actor(firing rule) noexcept : node_(*this, rule, &act_of) {}

actor::~actor() = default;

void actor::require_act(const char* call) const {
  if (node_.is_acting()) return;
  internal::end_job(internal::status_usage, "actor " + node_.name() + ": " + call +
                                                " outside its act and start; an actor finishes itself there");
}

void actor::finish() {
  require_act("finish");
  node_.finish();
}

void actor::leave() {
  require_act("leave");
  node_.finish(true);
}

internal::graph_part& actor::part(const char* call) const {
  if (node_.part() == nullptr) {
    internal::end_job(internal::status_usage,
                      "an actor: " + std::string(call) + " in its constructor, before it has one; ask in start or act");
  }
  return *node_.part();
}

world& actor::home() const { return part("home").home(); }

graph& actor::its_graph() const { return part("its_graph").its_graph(); }

}  // namespace shoal::dataflow
