#include "shoal/compat/internal/word_wait.hpp"

#include <ctime>
#include <source_location>

#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {
namespace {

world& waiting_world(const char* call) {
  world& w = world_for(call);
  w.require_main(call);
  return w;
}

// After a look took some microseconds with the core given away each time, the word is not about to change.
constexpr unsigned n_looks_before_naps = 2000;
constexpr long nap_ns = 50'000;

}  // namespace

word_wait::word_wait(const char* call)
    : world_(waiting_world(call)), note_(world_.main(), world_.message_exchange(), call, std::source_location{}) {}

void word_wait::pass_time() {
  world_.message_exchange().progress_or_idle(patience_, true);
  if (++n_looks_ < n_looks_before_naps) return;
  const timespec nap{.tv_sec = 0, .tv_nsec = nap_ns};
  ::nanosleep(&nap, nullptr);
}

}  // namespace shoal::internal::compat
