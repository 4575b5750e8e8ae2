/// For programs of translated_loops.py.
#pragma once

#include "benchmarks/translated/measured.hpp"
#include "shoal_world.h"

namespace measured {

/// Instead of the world's. Collective.
template <class Body>
[[gnu::always_inline]] inline void finish(const Body& body) {
  shoal::world& w = shoal::world_of_program();
  w.barrier();
  const section counts;
  w.finish(body);
}

}  // namespace measured
