/// Waits of the main program for a word that other PEs change without a message.
#pragma once

#include "shoal/actor/internal/main_program.hpp"

namespace shoal {
class world;
}

namespace shoal::internal::compat {

/// One wait: reports name the call while it lives. Nobody wakes a PE that waits for a word, so it looks again and again:
/// first at once, then after others had its core, then after naps.
class word_wait {
public:
  explicit word_wait(const char* call);

  /// Serves the other PEs, and lets time pass.
  void pass_time();

private:
  world& world_;
  const main_program::wait note_;
  unsigned patience_ = 0;
  unsigned n_looks_ = 0;
};

/// Returns once `is_ready` says so.
template <class Ready>
void wait_for(const char* call, Ready is_ready) {
  if (is_ready()) return;
  word_wait wait(call);
  do wait.pass_time();
  while (!is_ready());
}

}  // namespace shoal::internal::compat
