/// Places of the program's source, for reports.
#pragma once

#include <source_location>
#include <string>

namespace shoal::internal {

/// "search.cpp:12".
[[gnu::cold]] std::string source_place(const std::source_location& where);

}  // namespace shoal::internal
