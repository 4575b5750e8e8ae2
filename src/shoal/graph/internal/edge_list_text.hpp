/// Lines of an edge list as text. Serial; knows no files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/graph/matrix_builder.hpp"

namespace shoal::internal {

/// What vertices may be named.
struct vertex_range {
  std::int64_t first = 0;
  std::int64_t n = 0;  // 0: unknown
};

enum class edge_line : std::uint8_t {
  nothing,  // blank, or a comment
  edge,
  weighted_edge,
  wrong,  // explain_edge says why
};

/// Parses a line; row and column in `e` count from 0, and the value is 1 if the line has none.
edge_line parse_edge(std::string_view line, const vertex_range& vertices, weighted_entry& e) noexcept;

/// Says what is wrong with a line, and what would be right.
[[gnu::cold]] std::string explain_edge(std::string_view line, const vertex_range& vertices);

}  // namespace shoal::internal
