/// What a module that carries a wire looks like from outside, and how one is found and opened.
///
/// A module is a shared object, `shoal-<library>.so` (library_kind.hpp), opened with RTLD_LOCAL, compiled with
/// its library's wrapper compiler. It exports one function. docs/design/modules-and-substrate-choice.md says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/substrate/network/library_kind.hpp"
#include "shoal/substrate/network/wire.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::network {

/// What a module is asked for.
struct wire_request {
  const char* version = "";  // of Shoal; a module of another build refuses
  substrate_kind substrate = substrate_kind::mpi;
  std::int32_t communicator = 0;  // a handle as Fortran has it, if has_communicator; else all processes
  bool has_communicator = false;
  std::size_t symmetric_bytes = 0;  // that the library's own heap must hold, where it must know before it begins
};

/// What it answers: a wire, the caller's to delete once it is closed, or what went wrong in one line without a newline.
struct wire_answer {
  wire* made = nullptr;
  char error[512] = {};
};

/// The function that a module exports, under this name. Initialises the library if nobody has.
using open_wire_function = void (*)(const wire_request&, wire_answer&);
inline constexpr const char* open_wire_name = "shoal_open_wire";

/// A library that there may be a module for, and where that lies.
struct module_place {
  library_kind library;
  std::string file = {};  // empty: there is none
  std::string looked_for = {};  // the places, for a message: "shoal-mpich.so is not in A and B"
};

/// Where the module for `library` lies: in `folder` if that is not empty, else beside the program's libraries or where
/// Shoal was installed.
module_place find_module(library_kind library, const std::string& folder);

/// The modules for communication libraries, found as open_wire would, without opening any.
std::vector<module_place> find_modules(const std::string& folder);

/// The file of module `library`, or setup_error that says where it was looked for and what to do.
std::string require_module(library_kind library, const std::string& folder);

/// Opens the module of a communication library, found by find_module, and asks it for a wire. Throws setup_error that
/// says what was expected, what was found and what to do. The module stays open for the life of the process.
wire& open_wire(library_kind library, const wire_request& request, const std::string& folder);

}  // namespace shoal::network
