/// Derives the settings that the user leaves open, such as the sizes of a run, from the machine.
#pragma once

#include <cstddef>

namespace shoal {
struct machine;
struct settings;
}  // namespace shoal

namespace shoal::internal {

/// The smallest symmetric heap.
inline constexpr std::size_t heap_bytes_min = 4096;

inline constexpr std::size_t task_stack_bytes_min = std::size_t{16} << 10;
inline constexpr std::size_t task_stack_bytes_max = std::size_t{512} << 20;

/// Fills in the settings that are zero or empty. A node spends 1/16 of its memory on buffers, at most 256 MiB per PE,
/// divided among the PEs that share it. The substrate says what can run and which part of the budget is for sending;
/// the conveyor layer says what slots, links and spill take. Throws setup_error. Local: equal settings on equal
/// machines give equal results on all PEs.
void resolve(settings& chosen, const machine& here);

/// The limit of what handlers of a PE may send beyond their credits. Requires resolved settings.
std::size_t spill_bytes_max(const settings& chosen);

}  // namespace shoal::internal
