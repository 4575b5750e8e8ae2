// The layer below actors. Every PE knows how many messages it gets in all, so it knows when it is done.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/toposort/either.hpp"

namespace shoal::kernels::toposort {

void run_conveyor(world& w, problem& p) {
  // Steady, because the next rows depend on messages that would wait in partly filled buffers.
  conveyor<either> messages{w, {.steady = true}};
  search_state state(p);
  messages.begin();
  while (messages.advance(state.is_done()) != progress::complete) {
    state.send_waiting([&](const either& e, pe_id to) { return messages.push(e, to); });
    while (const either* e = messages.pull()) state.receive(*e);
  }
  messages.reset();
  place_by_level(w, p);
}

}  // namespace shoal::kernels::toposort
