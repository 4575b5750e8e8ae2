/// Waiting for the other process where the program, not the library, owns the loop.
#pragma once

#include <sched.h>

namespace network_bench {

/// Asks `is_done` until it returns true. Spins first, then offers the core to others between two questions, because both
/// processes may share one core.
template <class Question>
void polite_wait(Question is_done) {
  constexpr int n_spins = 1000;
  for (int i = 0; !is_done(); ++i) {
    if (i >= n_spins) sched_yield();
  }
}

}  // namespace network_bench
