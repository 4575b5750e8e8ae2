/// The interface of modules that partition graphs: `shoal-metis.so` and `shoal-scotch.so`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shoal::internal {

/// A graph without loops; each edge stands in the lists of both its vertices. The neighbours of vertex v, and the
/// weights of its edges, are those from number first[v] to first[v + 1]. Weights are above 0, and their sums fit into
/// 31 bits.
struct graph_to_partition {
  std::int32_t n_vertices;
  std::int32_t n_parts;
  const std::int32_t* first;
  const std::int32_t* neighbours;
  const std::int32_t* edge_weights;
  const std::int32_t* weights;
};

/// The function that a module exports, under this name. `parts` has the part of each vertex that is fixed, and -1 for
/// others; a library that knows no fixed vertices overwrites it. The same graph gives the same parts. False: `error`
/// has one line.
using partition_function = bool (*)(const graph_to_partition& graph, std::int32_t* parts, char* error,
                                    std::size_t error_bytes);
inline constexpr const char* partition_name = "shoal_partition";

}  // namespace shoal::internal
