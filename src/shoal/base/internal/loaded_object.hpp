/// What this process has loaded: the program, its shared libraries, and plugins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::internal {

/// The program, a shared library or a plugin: what the dynamic linker calls an object.
struct loaded_object {
  std::string path;  // as the dynamic linker knows it; "the program" for the program
  std::uint64_t identity = 0;
  bool is_program = false;
};

/// The object that has `address`; one without an identity if none has. Its identity is a digest of the linker's build id
/// or, without one, of the code and constants in its file: equal wherever the same file is loaded. Local.
loaded_object object_with(const void* address);

/// The program itself. Local.
loaded_object program_object();

/// Paths of the objects that have an ELF note of this name. Local.
std::vector<std::string> objects_with_note(std::string_view name);

}  // namespace shoal::internal
