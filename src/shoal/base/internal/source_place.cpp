#include "shoal/base/internal/source_place.hpp"

namespace shoal::internal {

std::string source_place(const std::source_location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

}  // namespace shoal::internal
