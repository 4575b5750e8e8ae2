#include "shoal/dataflow/actor.hpp"

#include "shoal/base/internal/contract.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::dataflow {

actor::actor(firing rule) noexcept : node_(*this, rule, &act_of) {}

actor::~actor() = default;

void actor::finish() {
  SHOAL_REQUIRE(node_.part() != nullptr);
  node_.finish();
}

world& actor::home() const {
  SHOAL_REQUIRE(node_.part() != nullptr);
  return node_.part()->home();
}

}  // namespace shoal::dataflow
