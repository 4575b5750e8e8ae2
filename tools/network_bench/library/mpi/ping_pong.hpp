/// Messages that go there and back, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace network_bench {

/// Both processes call it with the same tag and number. Returns the nanoseconds of `n` round trips.
double ping_pong(bool is_first, int tag, std::span<const std::byte> sent, std::byte* received, std::int64_t n);

}  // namespace network_bench
