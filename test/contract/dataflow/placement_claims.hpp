/// The placements of graphs, for claims.
#pragma once

#include <vector>

#include "shoal/dataflow/placement.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {

/// All that need nothing but the libraries that are there.
std::vector<dataflow::placement> placements(const world& w);

}  // namespace shoal::test
