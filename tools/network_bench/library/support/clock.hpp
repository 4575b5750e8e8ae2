/// The clock of all measures.
#pragma once

#include <chrono>

namespace network_bench {

/// Nanoseconds since an arbitrary moment; never goes back.
inline double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace network_bench
