#include "shoal/graph/names.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/text_file.hpp"

namespace shoal {
namespace {

using internal::input_error;

std::vector<std::string> read_all(const std::string& path, std::int64_t n_vertices) {
  internal::byte_source source(path);
  internal::line_reader lines(source);
  const std::string expected =
      "the graph has " + std::to_string(n_vertices) + " vertices, and each line is the name of one";
  std::vector<std::string> names;
  std::string_view line;
  while (lines.next(line)) {
    if (lines.n_lines() > n_vertices) throw input_error(lines.n_lines(), "one name too many; " + expected);
    if (line.empty()) throw input_error(lines.n_lines(), "an empty line; " + expected);
    names.emplace_back(line);
  }
  if (lines.n_lines() < n_vertices) {
    throw input_error(lines.n_lines(),
                      "the file ends after " + std::to_string(lines.n_lines()) + " names; " + expected);
  }
  return names;
}

}  // namespace

std::vector<std::string> read_names(world& w, const std::string& path, std::int64_t n_vertices) {
  std::vector<std::string> names;
  std::optional<input_error> error;
  if (w.my_pe() == 0) {
    try {
      names = read_all(path, n_vertices);
    } catch (const input_error& e) {
      error = e;
    }
  }
  internal::agree(w, path, error);
  return names;
}

}  // namespace shoal
