/// Names of a graph's vertices, for output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal {

/// Collective: reads a file whose line k is the name of vertex k, counted from 1; plain or compressed with
/// gzip. Waits. Not in a handler.
///
/// Only PE 0 reads the file, and gets the names, by global index; the other PEs get an empty vector.
/// Names are for people, and it is PE 0 that talks to them.
///
/// Throws setup_error on every PE or on none, with one line that names file and line: no such file, more or
/// fewer lines than `n_vertices`, an empty line.
std::vector<std::string> read_names(world& w, const std::string& path, std::int64_t n_vertices);

}  // namespace shoal
