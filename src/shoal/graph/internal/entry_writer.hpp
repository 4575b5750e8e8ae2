/// Writes the entries of a matrix as text, one a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"

namespace shoal::internal {

/// Writes `head` of PE 0 and then a line "row column" or "row column value" for
/// each entry, those of PE 0 first. Rows and columns count from `first`, 0 or 1. Throws setup_error on every PE or on
/// none. Collective; waits.
void write_entries(world& w, const sparse_matrix& m, const std::string& path, std::string_view head,
                   std::int64_t first);

}  // namespace shoal::internal
