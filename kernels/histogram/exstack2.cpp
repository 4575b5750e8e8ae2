// The asynchronous form of exstack.cpp: a buffer leaves when it is full, and nobody waits for all PEs.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_exstack2(world& w, problem& p) {
  const std::span counts = p.counts;
  const std::span<const update> updates = p.updates;
  exstack2<std::int64_t> slots{w, exstack_capacity};
  std::size_t i = 0;
  while (slots.proceed(i == updates.size())) {
    while (i < updates.size() && slots.push(updates[i].slot, updates[i].pe) != 0) ++i;
    while (const std::int64_t* slot = slots.pull()) ++counts[*slot];
  }
  slots.reset();
}

}  // namespace shoal::kernels::histogram
