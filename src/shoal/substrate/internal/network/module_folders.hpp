/// Where modules are looked for if SHOAL_MODULES names no folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shoal::internal::network {

/// What decides where modules may lie.
struct library_place {
  std::filesystem::path object;  // the program or shared library that contains Shoal; empty: unknown
  bool is_program = false;
  bool is_trusted = true;  // false: a user may have chosen the program's folder, and must not choose its code
  std::string headers;  // base/internal/headers_place.hpp as the compiler of the program found it; empty: unknown
};

/// Of this process.
library_place place_of_library();

/// Folders to search, in this order, each once:
///
///  1. `shoal` beside the shared library that contains Shoal; or, if a trusted program does, `../lib/shoal` from it
///  2. the modules of the installation whose headers the program was compiled with
///  3. those of the prefix for which Shoal was configured
std::vector<std::filesystem::path> module_folders(const library_place& place);

}  // namespace shoal::internal::network
