#include "shoal/actor/internal/same_binary.hpp"

#include <cstddef>
#include <span>
#include <string_view>

#include "shoal/actor/internal/closure_types.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/base/internal/loaded_object.hpp"

namespace shoal::internal {
namespace {

std::uint64_t digest_of_closures() {
  digest all(program_object().identity);
  const closure_range closures = closures_of_program();
  for (const closure_table_entry& type : std::span(closures.types, closures.n)) {
    all.add(std::string_view(type.name));
    all.add(std::as_bytes(std::span(&type.bytes, 1)));
  }
  return all.value();
}

}  // namespace

std::uint64_t digest_of_program() {
  static const std::uint64_t found = digest_of_closures();  // a process may open many worlds
  return found;
}

}  // namespace shoal::internal
