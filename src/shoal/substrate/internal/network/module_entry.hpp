/// What all modules share. Only their sources include it, so each module contains its own compiled copy.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "shoal/base/version.hpp"
#include "shoal/substrate/internal/network/module.hpp"

namespace shoal::internal::network {

/// Throws if the program and this module come from different builds.
inline void check_version(const wire_request& request) {
  if (version() == request.version) return;
  throw std::runtime_error("the module is of Shoal " + std::string(version()) + ", the program of " + request.version +
                           "; install both from one build, or name another folder of modules in SHOAL_MODULES");
}

/// Makes the library that contains `function` visible to everything opened later. Open MPI opens plugins that use its
/// symbols but do not all name it as needed, and the module, with the library, was opened with RTLD_LOCAL. (Debian's
/// MPI works without this by luck: an early plugin does name it.)
template <class Function>
void make_library_global(Function* function) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(function), &info) != 0) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
}

/// The body of a module's open_wire_function. Exceptions end here: the program may have another copy of their types.
template <class Open>
void answer_with(wire_answer& answer, const Open& open) {
  try {
    answer.made = open();
  } catch (const std::exception& failed) {
    std::snprintf(answer.error, sizeof answer.error, "%s", failed.what());
  }
}

}  // namespace shoal::internal::network
