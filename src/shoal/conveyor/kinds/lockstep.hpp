/// The question that bulk-synchronous conveyors ask all PEs before each step: what do you have, what do you
/// want?
#pragma once

#include <cstdint>

#include "shoal/conveyor/exchange.hpp"
#include "shoal/conveyor/round.hpp"

namespace shoal::detail {

/// The flags of all PEs, or-ed. `call` is what asks, of the object with the number `serial`. Collective; waits, and
/// lets buffers and handlers go on meanwhile. Ends the job with one line if PEs ask for different objects or make
/// different collective calls.
std::uint32_t fold_flags(exchange& through, conveyor_call call, std::uint32_t serial, std::uint32_t flags);

}  // namespace shoal::detail
