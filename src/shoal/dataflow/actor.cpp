#include "shoal/dataflow/actor.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::dataflow {

actor::actor(firing rule) noexcept : node_(*this, rule, &act_of) {}

actor::~actor() = default;

void actor::finish() {
  if (!node_.is_acting()) {
    internal::end_job(internal::status_usage,
                      "actor " + node_.name() + ": finish outside its act and start; an actor finishes itself there");
  }
  node_.finish();
}

world& actor::home() const {
  if (node_.part() == nullptr) {
    internal::end_job(internal::status_usage,
                      "an actor: home in its constructor, before it has one; ask in start or act");
  }
  return node_.part()->home();
}

}  // namespace shoal::dataflow
