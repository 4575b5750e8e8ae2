#include "shoal/substrate/internal/network/module_folders.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "shoal/base/internal/environment.hpp"
#include "shoal/base/internal/loaded_object.hpp"

namespace shoal::internal {

// Each program defines its own, in base/internal/headers_place.hpp. Absent if it includes neither shoal.hpp nor mpi.hpp.
// Not hidden here: of a hidden name that is absent, not every linker makes a null pointer.
[[gnu::weak]] extern const char* const headers_place;

namespace network {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_of_headers_place = "/shoal/base/internal/headers_place.hpp";

// Without symbolic links as far as the path exists: the kernel's `..` leads from where a link points.
fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : found;
}

void add(std::vector<fs::path>& folders, const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  if (std::ranges::find(folders, normal) == folders.end()) folders.push_back(normal);
}

}  // namespace

library_place place_of_library() {
  const loaded_object object = object_with(reinterpret_cast<const void*>(&place_of_library));
  library_place place;
  place.object = object.path;
  place.is_program = object.is_program;
  place.is_trusted = !has_privileges_of_others();
  if (object.is_program) {
    std::error_code failed;
    place.object = fs::read_symlink("/proc/self/exe", failed);  // empty if that fails
  }
  if (&headers_place != nullptr) place.headers = headers_place;
  return place;
}

std::vector<fs::path> module_folders(const library_place& place) {
  std::vector<fs::path> folders;
  if (!place.object.empty() && !place.is_program) {
    add(folders, fs::absolute(place.object).parent_path() / "shoal");
    add(folders, resolved(place.object).parent_path() / "shoal");
  } else if (!place.object.empty() && place.is_trusted) {
    const fs::path programs = resolved(place.object).parent_path();
    add(folders, programs / "../lib/shoal");
    add(folders, programs / SHOAL_MODULES_FROM_PROGRAMS);
  }
  std::string_view headers = place.headers;
  if (headers.starts_with('/') && headers.ends_with(name_of_headers_place)) {
    headers.remove_suffix(name_of_headers_place.size());
    add(folders, resolved(headers) / SHOAL_MODULES_FROM_HEADERS);
  }
  add(folders, SHOAL_MODULE_FOLDER);
  return folders;
}

}  // namespace network
}  // namespace shoal::internal
