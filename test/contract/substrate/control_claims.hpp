/// Claims on control messages, which any substrate carries beside all buffers. They run without worlds: those may use
/// control messages, too, and keep all slots.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::test {

struct control_claim {
  const char* name;
  /// Runs on each PE. Whatever is sent is polled before it returns. What is sent follows from the seed alone.
  void (*check)(internal::substrate& machine, std::uint64_t seed);
};

std::vector<control_claim> control_claims();

/// The last thing of a job: sends what can be sent, polls nothing, and goes through a round. Collective.
void leave_control_messages_unread(internal::substrate& machine, std::uint64_t seed);

}  // namespace shoal::test
