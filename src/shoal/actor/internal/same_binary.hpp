/// Checks that all PEs run the same program; otherwise they would call the wrong closures.
#pragma once

#include <cstdint>

namespace shoal::internal {

/// A digest of this process's program: of the build id from the linker, and of its closures, without those of libraries.
/// Local.
std::uint64_t digest_of_program();

}  // namespace shoal::internal
