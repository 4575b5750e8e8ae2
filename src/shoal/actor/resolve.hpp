/// Decides what the user leaves open, from the machine: the sizes of a run.
#pragma once

#include <cstddef>

namespace shoal {

struct machine;
struct settings;

/// The smallest symmetric heap.
inline constexpr std::size_t heap_bytes_min = 4096;

/// Fills in what is zero or empty. A node spends 1/16 of its memory on buffers, at most 256 MiB per PE, divided among the
/// PEs that share it. The substrate says what can run and what of the budget is for sending, the conveyors what slots,
/// links and spill take. Throws setup_error. Local: equal settings and machines give equal results on all PEs.
void resolve(settings& chosen, const machine& here);

/// The most that handlers of a PE may send beyond their credits. Wants settings that are resolved.
std::size_t spill_bytes_max(const settings& chosen);

}  // namespace shoal
