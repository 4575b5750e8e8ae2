/// The static and global variables of the program: its writable segment becomes a part of the symmetric heap.
///
/// The pages keep their addresses in this process, so the program's own loads and stores cost what they did. The other
/// PEs find the same pages in this PE's part of the heap. A child forked later shares them with its parent. Variables of
/// shared libraries stay as they are.
#pragma once

#include <cstddef>
#include <string>

namespace shoal::internal::compat {

/// Whole pages.
struct static_segment {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

/// What of the program is still writable after relocation, up to the end of .bss. Local.
static_segment find_static_segment();

/// Whether this build can map it: sanitizers keep notes on addresses that a new mapping would not have.
bool can_map_statics() noexcept;

/// Whether the segment is mapped to `shared`. A later job may have other memory at the same address. Local.
bool are_statics_mapped(const static_segment& of, std::byte* shared) noexcept;

/// Copies the segment to `shared`, memory that is shared between processes and zero, and maps that memory in its place.
/// Nothing else of the process may run meanwhile. Returns why it could not be done; then nothing has changed. Local.
std::string map_statics(const static_segment& of, std::byte* shared);

}  // namespace shoal::internal::compat
