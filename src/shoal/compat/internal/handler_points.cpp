#include "shoal/compat/internal/handler_points.hpp"

#include <source_location>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/task_scheduler.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {

bool run_handlers() { return is_open() && world_for("a yield point").message_exchange().progress(); }

void wait_at_yield_point(unsigned& patience) {
  const char* const call = tasks().waiting_call();
  world& w = world_for(call);
  const main_program::wait note(w.main(), w.message_exchange(), call, std::source_location{});
  w.message_exchange().progress_or_idle(patience);
}

bool is_in_handler() noexcept { return false; }

}  // namespace shoal::internal::compat
