/// What an 8-byte item costs the processor of its PE: the figures of a network file's section [item].
#pragma once

#include "shoal/actor/world.hpp"
#include "shoal/substrate/internal/link_probe.hpp"

namespace shoal::cli {

struct item_measurement {
  internal::measured_value push_ns, relay_ns, handling_ns;
};

/// Collective. PE 0 measures, with messages to itself, so that no link counts; the others wait. Only PE 0 gets a result.
item_measurement measure_items(world& w, int n_blocks);

}  // namespace shoal::cli
