/// Whether the machines have the memory for what their PEs are about to allocate. A system that runs out of memory ends
/// the job; it does not refuse the allocation.
#pragma once

#include <optional>
#include <string>

#include "shoal/actor/world.hpp"

namespace shoal {

/// A machine with too little memory.
struct memory_shortage {
  double needed_bytes = 0;  // by all PEs of the machine
  double machine_bytes = 0;
};

/// `bytes`: what this PE takes altogether. The machine that lacks most, the same on every PE; empty if all have enough.
/// Each PE is taken to need the average of all. Collective, waits. Not in a handler.
std::optional<memory_shortage> find_memory_shortage(world& w, double bytes);

/// "takes about 24.5 GiB on a machine that has 16 GiB of memory"
std::string describe(const memory_shortage& found);

}  // namespace shoal
