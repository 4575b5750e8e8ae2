/// In which form a file holds a matrix, for programs that read whatever they are given.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/actor/world.hpp"

namespace shoal {

enum class matrix_form : std::uint8_t { matrix_market, edge_list, directory };

/// A directory is one of binary files. A file whose name ends in .mtx or .mtx.gz, or whose text begins with
/// %%MatrixMarket in whatever case, is a MatrixMarket file. Any other is taken for an edge list, whose reader says what is
/// wrong if it is none. PE 0 looks, into the file only if its name does not tell. Collective; waits. Not in a handler.
///
/// Throws setup_error on every PE or on none, with one line, if there is nothing of that name, or if a file has to be
/// looked into and cannot be read.
matrix_form find_matrix_form(world& w, const std::string& path);

}  // namespace shoal
