#include "shoal/compat/internal/handler_points.hpp"

#include <source_location>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/handlers_allowed.hpp"
#include "shoal/compat/internal/live_selectors.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/compat/internal/task_scheduler.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {

bool is_in_handler() noexcept {
  return is_open() && world_for("a yield point").message_exchange().now().running() != nullptr;
}

bool run_handlers() {
  if (!is_open() || is_in_handler()) return false;
  exchange& through = world_for("a yield point").message_exchange();
  const handlers_allowed during(through.arriving());
  const bool has_moved = through.progress();
  let_others_go_on();
  return selectors().settle() || has_moved;
}

void wait_at_yield_point(unsigned& patience) {
  if (!is_open()) return;
  if (selectors().settle()) {
    patience = 0;
    return;
  }
  const char* const call = tasks().waiting_call();
  world& w = world_for(call);
  exchange& through = w.message_exchange();
  const handlers_allowed during(through.arriving());  // first, since it may wait
  const main_program::wait note(w.main(), through, call, std::source_location{});
  through.progress_or_idle(patience);
}

}  // namespace shoal::internal::compat
