// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_conveyor(world& w, problem& p) {
  const std::span counts = p.counts;
  const std::span<const update> updates = p.updates;
  conveyor<std::int64_t> slots{w};
  slots.begin();
  std::size_t i = 0;
  while (slots.advance(i == updates.size()) != progress::complete) {
    while (i < updates.size() && slots.push(updates[i].slot, updates[i].pe)) ++i;
    while (const std::int64_t* slot = slots.pull()) ++counts[*slot];
  }
  slots.reset();
}

}  // namespace shoal::kernels::histogram
