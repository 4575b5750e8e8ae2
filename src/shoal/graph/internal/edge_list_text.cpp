#include "shoal/graph/internal/edge_list_text.hpp"

#include <limits>
#include <system_error>

#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/number_text.hpp"
#include "shoal/graph/internal/text_file.hpp"

namespace shoal::internal {
namespace {

// So that the number of vertices fits, too.
constexpr std::int64_t vertex_max = std::numeric_limits<std::int64_t>::max() - 1;

// Between two words.
void skip_separator(cursor& c) noexcept {
  c.skip_blanks();
  if (c.at != c.end && *c.at == ',') ++c.at;
}

cursor begin_of(std::string_view line) noexcept { return {line.data(), line.data() + line.size(), ','}; }

bool is_in(const vertex_range& vertices, std::int64_t vertex) noexcept {
  return vertex >= vertices.first && vertex <= vertex_max && (vertices.n == 0 || vertex - vertices.first < vertices.n);
}

}  // namespace

edge_line parse_edge(std::string_view line, const vertex_range& vertices, weighted_entry& e) noexcept {
  cursor c = begin_of(line);
  c.skip_blanks();
  if (c.at == c.end || *c.at == '#' || *c.at == '%') return edge_line::nothing;
  if (parse_number(c, e.row) != std::errc{}) return edge_line::wrong;
  skip_separator(c);
  if (parse_number(c, e.column) != std::errc{}) return edge_line::wrong;
  if (!is_in(vertices, e.row) || !is_in(vertices, e.column)) return edge_line::wrong;
  e.row -= vertices.first;
  e.column -= vertices.first;
  e.value = 1;
  c.skip_blanks();
  if (c.at == c.end) return edge_line::edge;
  skip_separator(c);
  if (parse_real(c, e.value) != std::errc{}) return edge_line::wrong;
  c.skip_blanks();
  return c.at == c.end ? edge_line::weighted_edge : edge_line::wrong;
}

std::string explain_edge(std::string_view line, const vertex_range& vertices) {
  constexpr const char* form = "; a line of this file is: from to, or: from to weight";
  if (line.size() > line_reader::line_bytes_max) return std::string("the line is too long") + form;
  const std::string unreadable = "cannot read " + quoted(line) + form;
  cursor c = begin_of(line);
  for (int i = 0; i < 2; ++i) {
    if (i != 0) skip_separator(c);
    c.skip_blanks();
    const char* const begin = c.at;
    std::int64_t vertex = 0;
    const std::errc error = parse_number(c, vertex);
    if (error == std::errc::invalid_argument) return unreadable;
    const std::string word(begin, c.at);
    if (word.starts_with('-') || (error == std::errc{} && vertex < vertices.first)) {
      return "vertex " + word + " is out of range (vertices are counted from " + std::to_string(vertices.first) + ")";
    }
    if (error != std::errc{} || vertex > vertex_max) {
      return "vertex " + word + " is too large; at most " + std::to_string(vertex_max);
    }
    if (!is_in(vertices, vertex)) {
      return "vertex " + word + " is out of range (the graph has " + std::to_string(vertices.n) + " vertices)";
    }
  }
  skip_separator(c);
  c.skip_blanks();
  const char* const begin = c.at;
  double weight = 0;
  if (parse_real(c, weight) == std::errc::result_out_of_range) {
    return "weight " + quoted({begin, c.at}) + " is out of range; the largest is 1.7976931348623157e308";
  }
  return unreadable;
}

}  // namespace shoal::internal
