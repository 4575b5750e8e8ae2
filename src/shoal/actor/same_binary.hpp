/// Whether all PEs run the same program: others would call the wrong closures.
#pragma once

#include <cstdint>

namespace shoal {

/// A digest of the program that this process runs: of the build id that linkers put there, and of its closures. Local.
std::uint64_t digest_of_program();

}  // namespace shoal
