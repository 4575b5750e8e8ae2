// The asynchronous form of exstack.cpp: a buffer leaves when it is full, and nobody waits for all PEs.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/toposort/either.hpp"

namespace shoal::kernels::toposort {

void run_exstack2(world& w, problem& p) {
  exstack2<either> messages{w, exstack_capacity};
  search_state state(p);
  while (true) {
    const bool is_done = state.is_done();
    if (!messages.proceed(is_done)) break;
    state.send_waiting([&](const either& e, pe_id to) { return messages.push(e, to) != 0; });
    bool is_idle = true;
    while (const either* e = messages.pull()) {
      state.receive(*e);
      is_idle = false;
    }
    if (is_done || !is_idle) continue;
    // Others may wait for what is in buffers that are not full.
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) messages.send(pe);
  }
  messages.reset();
  place_by_level(w, p);
}

}  // namespace shoal::kernels::toposort
