// The bulk-synchronous form: all PEs exchange their buffers, again and again.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/toposort/either.hpp"

namespace shoal::kernels::toposort {

void run_exstack(world& w, problem& p) {
  exstack<either> messages{w, exstack_capacity};
  search_state state(p);
  while (messages.proceed(state.is_done())) {
    state.send_waiting([&](const either& e, pe_id to) { return messages.push(e, to) != 0; });
    messages.exchange();
    while (const either* e = messages.pull()) state.receive(*e);
  }
  messages.reset();
  place_by_level(w, p);
}

}  // namespace shoal::kernels::toposort
