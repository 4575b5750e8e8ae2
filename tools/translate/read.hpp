/// Reads a source with Clang.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/translate/loop.hpp"
#include "tools/translate/program.hpp"

namespace shoal::translate {

/// How sources are compiled: by flags, or as a compilation database says.
struct compilation {
  std::vector<std::string> flags;
  std::string database;  // a file compile_commands.json or its folder; empty: by flags
};

struct source_read {
  program closures;
  source_loops loops;
};

/// What `file` sends, and which of its loops may. Nothing if it does not compile; the compiler's errors are on standard
/// error then. Throws a std::runtime_error if the database cannot be read or does not know the file. With `any_order`
/// closures may overtake each other.
std::optional<source_read> read(const std::string& file, const compilation& how, bool any_order);

}  // namespace shoal::translate
