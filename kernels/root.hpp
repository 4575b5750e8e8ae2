/// Where a search of a graph begins: the option --root of several kernels.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/graph_input.hpp"

namespace shoal::kernels {

inline constexpr const char* root_help =
    "where to begin: a vertex, by its number from 1 or its name; most: the one with most edges";

/// Throws setup_error if the option is empty.
void require_root(const std::string& root);

/// The vertex that the option names, the same on every PE. Collective. Throws setup_error.
std::int64_t find_root(world& w, const std::string& root, const graph_options& given, const sparse_matrix& graph);

}  // namespace shoal::kernels
