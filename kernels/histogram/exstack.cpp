// The bulk-synchronous form: all PEs fill their buffers, exchange them at once, and count what they got.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_exstack(world& w, problem& p) {
  const std::span counts = p.counts;
  const std::span<const update> updates = p.updates;
  exstack<std::int64_t> slots{w, exstack_capacity};
  std::size_t i = 0;
  while (slots.proceed(i == updates.size())) {
    while (i < updates.size() && slots.push(updates[i].slot, updates[i].pe) != 0) ++i;
    slots.exchange();
    while (const std::int64_t* slot = slots.pull()) ++counts[*slot];
  }
  slots.reset();
}

}  // namespace shoal::kernels::histogram
