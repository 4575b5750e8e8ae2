/// The interface of a module that carries a wire, and how to find and open one.
///
/// A module is a shared object, `shoal-<library>.so` (library_kind.hpp), compiled with its library's wrapper compiler
/// and opened with RTLD_LOCAL. It exports one function. docs/design/modules-and-substrate-choice.md has the reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/substrate/internal/network/wire.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::network {

/// What a module is asked for.
struct wire_request {
  const char* version = "";  // of Shoal; a module of another build refuses
  substrate_kind substrate = substrate_kind::mpi;
  std::int32_t communicator = 0;  // a handle in Fortran's form, if has_communicator; otherwise all processes
  bool has_communicator = false;
  // What the library's own heap must hold, for libraries that must know it at their start.
  std::size_t symmetric_bytes = 0;
};

/// A module's answer: a wire, which the caller deletes after closing it, or one line (without a newline) that says what
/// failed.
struct wire_answer {
  wire* made = nullptr;
  char error[512] = {};
};

/// The function that a module exports, under this name. Initialises the library unless that has been done.
using open_wire_function = void (*)(const wire_request&, wire_answer&);
inline constexpr const char* open_wire_name = "shoal_open_wire";

/// A library that may have a module, and where that is.
struct module_place {
  library_kind library;
  std::string file = {};  // empty: none found
  std::string looked_for = {};  // the places, for a message: "shoal-mpich.so is not in A and B"
};

/// Finds the module for `library`: in `folder` if that is not empty, otherwise in one of module_folders.
module_place find_module(library_kind library, const std::string& folder);

/// Finds the modules for communication libraries as open_wire would, without opening any.
std::vector<module_place> find_modules(const std::string& folder);

/// The file of module `library`. Throws setup_error that says where it was looked for and what to do.
std::string require_module(library_kind library, const std::string& folder);

/// Opens the module of a communication library, found by find_module, and asks it for a wire. Throws setup_error that
/// says what was expected, what was found and what to do. The module stays open until the process ends.
wire& open_wire(library_kind library, const wire_request& request, const std::string& folder);

}  // namespace shoal::internal::network
