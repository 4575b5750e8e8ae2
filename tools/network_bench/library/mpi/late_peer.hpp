/// The second process stays away from the library for a while, so that the first one sees what goes on without it.
#pragma once

#include <cstdint>

#include "tools/network_bench/library/support/session.hpp"

namespace network_bench {

/// Collective. How many nanoseconds it stays away: 2 ms, or more where an answer takes long.
std::int64_t chosen_absence_ns(session& all);

/// Collective. In the second process it returns after the absence. In the first one it returns about when the absence
/// begins, certainly before it ends.
void begin_absence(const session& all, std::int64_t absence_ns);

}  // namespace network_bench
