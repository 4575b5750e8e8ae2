/// Whether a file can be opened as a shared object. The C library maps what a file's headers promise and ends the
/// process with SIGBUS where the file is shorter, so Shoal looks before it opens a module.
#pragma once

#include <string>

namespace shoal::network {

/// What keeps `path` from being a whole shared object, in words ("it is cut off: …"); empty if nothing is seen. Looks
/// at headers and sizes only. Local.
std::string damage_of_shared_object(const std::string& path);

}  // namespace shoal::network
