#include "tools/translate/loop_includes.hpp"

#include <algorithm>
#include <string>

#include "tools/translate/write_parts.hpp"

namespace shoal::translate {

void add_includes(const program& from, const source_loops& loops, std::vector<edit>& made) {
  const std::size_t first = std::ranges::min_element(made, {}, [](const edit& e) { return e.at.begin; })->at.begin;
  const auto names_one = [&](const std::string& name) {
    return std::ranges::any_of(made, [&](const edit& e) { return e.text.find(name) != std::string::npos; });
  };
  std::vector<std::string> headers;
  if (names_one("std::ranges::copy(")) headers.emplace_back("#include <algorithm>");
  if (names_one("std::array<")) headers.emplace_back("#include <array>");
  if (names_one("std::span<")) headers.emplace_back("#include <span>");
  for (const std::string& each : headers) add_include(from, each, made, first);
  const bool is_foreign = std::ranges::any_of(
      loops.all, [](const loop& l) { return l.family == access_family::shmem || l.family == access_family::getput; });
  if (std::ranges::any_of(loops.all, [](const loop& l) { return !l.is_outermost; }))
    add_include(from, "#include <optional>", made, first);
  if (!from.sees_selector) add_include(from, "#include \"shoal/actor/selector.hpp\"", made, first);
  if (is_foreign && !from.sees_world_of_program) add_include(from, "#include \"shoal_world.h\"", made, first);
}

}  // namespace shoal::translate
