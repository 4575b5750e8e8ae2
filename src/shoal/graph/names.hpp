/// Names of a graph's vertices, for output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal {

/// Reads a file whose line k, counted from 1, is the name of vertex k; plain or compressed with gzip. Collective;
/// waits. Not in a handler.
///
/// Only PE 0 reads the file and returns the names, by global index; the other PEs return an empty vector. Names are for
/// output, which PE 0 prints.
///
/// Throws setup_error on every PE or on none, with one line that names file and line: no such file, more or fewer lines
/// than `n_vertices`, an empty line.
std::vector<std::string> read_names(world& w, const std::string& path, std::int64_t n_vertices);

}  // namespace shoal
