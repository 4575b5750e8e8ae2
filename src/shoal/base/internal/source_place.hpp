/// Places of the program's source, for reports.
#pragma once

#include <source_location>
#include <string>

namespace shoal::internal {

/// "search.cpp:12".
inline std::string source_place(const std::source_location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

}  // namespace shoal::internal
