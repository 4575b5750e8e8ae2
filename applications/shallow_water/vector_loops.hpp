/// The loops of each vectorised solver, one per instruction set. Their sources are compiled with options of their own
/// (CMakeLists.txt).
#pragma once

#include "applications/shallow_water/edge_loop.hpp"

namespace shoal::swe {

template <class Real>
edge_loop<Real> hlle_loop(instruction_set set);

template <class Real>
edge_loop<Real> f_wave_loop(instruction_set set);

}  // namespace shoal::swe
