/// The flags that bulk-synchronous conveyors fold over all PEs before each step: what each PE has and wants.
#pragma once

#include <cstdint>

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/round.hpp"

namespace shoal::internal {

/// The or of all PEs' flags. `call` is the call that asks, `serial` the number of its object. Collective; waits while
/// buffers and handlers proceed. Ends the job with one line if PEs ask for different objects or make different
/// collective calls.
std::uint32_t fold_flags(exchange& through, conveyor_call call, std::uint64_t serial, std::uint32_t flags);

}  // namespace shoal::internal
