#include "shoal/substrate/internal/network/module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/network/loaded_libraries.hpp"
#include "shoal/substrate/internal/network/module_folders.hpp"

namespace shoal::internal::network {
namespace {

namespace fs = std::filesystem;

std::string display_name(library_kind library) { return std::string(entry_of(library).display_name); }

// The OpenSHMEM module is built with Open MPI's, so it needs that MPI.
void refuse_other_mpi(library_kind library) {
  const std::optional<library_kind> loaded = loaded_mpi();
  const library_kind needed = entry_of(library).mpi;
  if (!loaded || loaded == needed) return;
  throw setup_error("the program has loaded " + display_name(*loaded) + ", and " + display_name(library) +
                    " was to be opened beside it (two MPI libraries in one process disturb each other); link the "
                    "program with " +
                    display_name(needed) + ", or choose what it has: SHOAL_MPI=" + choice_of_mpi() +
                    ", and that library's mpirun");
}

std::vector<fs::path> folders_to_search(const std::string& asked_for) {
  if (!asked_for.empty()) return {asked_for};
  return module_folders(place_of_library());
}

std::string packages_of(library_kind library) { return std::string(entry_of(library).packages); }

}  // namespace

module_place find_module(library_kind library, const std::string& asked_for) {
  module_place place{.library = library};
  const std::string file = "shoal-" + std::string(entry_of(library).name) + ".so";
  for (const fs::path& folder : folders_to_search(asked_for)) {
    std::error_code failed;
    if (place.file.empty() && fs::exists(folder / file, failed)) place.file = (folder / file).string();
    place.looked_for += (place.looked_for.empty() ? file + " is not in " : " and ") + folder.string();
  }
  return place;
}

std::vector<module_place> find_modules(const std::string& folder) {
  std::vector<module_place> places;
  for (const library_kind library : {library_kind::open_mpi, library_kind::mpich, library_kind::openshmem}) {
    places.push_back(find_module(library, folder));
  }
  return places;
}

std::string require_module(library_kind library, const std::string& folder) {
  const module_place place = find_module(library, folder);
  if (!place.file.empty()) return fs::absolute(place.file).string();
  throw setup_error("no module for " + display_name(library) + " (" + place.looked_for + "); build Shoal where " +
                    packages_of(library) +
                    " are installed (Debian's names), with SHOAL_MODULES=ON, or name the folder of its modules in the "
                    "environment variable SHOAL_MODULES");
}

wire& open_wire(library_kind library, const wire_request& request, const std::string& folder) {
  refuse_other_mpi(library);
  const std::string path = require_module(library, folder);
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    throw setup_error("cannot open the module for " + display_name(library) + ": " + dlerror() +
                      "; install what it was built with (Debian: " + packages_of(library) + "), or rebuild Shoal");
  }
  const auto open = reinterpret_cast<open_wire_function>(dlsym(module, open_wire_name));
  if (open == nullptr) throw setup_error(path + " is not a Shoal module: it has no " + open_wire_name);
  wire_answer answer;
  open(request, answer);
  if (answer.made == nullptr) throw setup_error(path + ": " + answer.error);
  return *answer.made;
}

}  // namespace shoal::internal::network
