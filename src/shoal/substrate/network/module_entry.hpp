/// What all modules do alike. Included by their sources only: the compiler's copy of it is all that a module has.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "shoal/base/version.hpp"
#include "shoal/substrate/network/module.hpp"

namespace shoal::network {

/// Throws if the program is of another build than this module.
inline void check_version(const wire_request& request) {
  if (version() == request.version) return;
  throw std::runtime_error("the module is of Shoal " + std::string(version()) + ", the program of " + request.version +
                           "; install both from one build, or name another folder of modules in SHOAL_MODULES");
}

/// Makes the library that `function` lies in visible to all that is opened later. Open MPI opens plugins of its own,
/// which use its symbols but do not all name it as needed; the module, and with it the library, was opened with
/// RTLD_LOCAL. (Debian's MPI works without this by the luck of a plugin that is opened early and does name it.)
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

}  // namespace shoal::network
