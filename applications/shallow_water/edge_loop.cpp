#include "applications/shallow_water/edge_loop.hpp"

#include "applications/shallow_water/riemann/augmented.hpp"
#include "applications/shallow_water/solve_edges.hpp"
#include "applications/shallow_water/vector_loops.hpp"

namespace shoal::swe {

bool is_supported(instruction_set set) {
#ifdef __x86_64__
  if (set == instruction_set::avx2) return __builtin_cpu_supports("avx2") != 0;
#endif
  return set == instruction_set::portable;
}

instruction_set best_instruction_set() {
  return is_supported(instruction_set::avx2) ? instruction_set::avx2 : instruction_set::portable;
}

template <class Real>
edge_loop<Real> edge_loop_of(solver_kind kind, instruction_set set) {
  switch (kind) {
    case solver_kind::hlle: return hlle_loop<Real>(set);
    case solver_kind::f_wave: return f_wave_loop<Real>(set);
    case solver_kind::augmented: break;
  }
  return solve_lines<riemann::augmented, Real>;
}

template edge_loop<float> edge_loop_of(solver_kind, instruction_set);
template edge_loop<double> edge_loop_of(solver_kind, instruction_set);

}  // namespace shoal::swe
