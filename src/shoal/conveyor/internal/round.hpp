/// Waiting for rounds: all collective calls of this layer and the layers above use it.
#pragma once

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class exchange;

/// The collective calls of this layer, as tags of rounds.
enum class conveyor_call : call_tag { exstack_proceed, simple_conveyor_advance };

/// Tags from here on belong to the layers above.
inline constexpr call_tag first_tag_above_conveyors = 16;

/// The name of a tag of this layer, for messages.
call_name name_of_conveyor_call(call_tag tag) noexcept;

/// Ends the job if the round that just completed combined different calls, or if PEs have constructed different objects
/// before it; the others make the same call. Waits for them only then.
void check_round(exchange& through);

/// Waits until the round at which this PE has arrived is complete; buffers and handlers proceed meanwhile. Ends the job
/// if PEs arrived in different calls. The contribution begins with a head (round_head.hpp).
void await_round(exchange& through);

/// After that, on all PEs: waits until the first `bytes` bytes can be read of the contribution of PE `whose`, or of
/// group_rounds::everybody.
void await_contributions(exchange& through, pe_id whose, std::size_t bytes = round_bytes_max);

}  // namespace shoal::internal
