#include "applications/shallow_water/riemann/f_wave.hpp"

#include "applications/shallow_water/solve_edges.hpp"
#include "applications/shallow_water/vector_loops.hpp"

namespace shoal::swe {
namespace {

// `flatten` compiles all that the loop calls into it, for its own instructions.
template <class Real>
[[gnu::flatten]] void f_wave_portable(std::size_t n, const cell_line<Real>& left, const cell_line<Real>& right,
                                      const update_line<Real>& to_left, const update_line<Real>& to_right,
                                      Real* fastest, const constants<Real>& given) {
  solve_lines<riemann::f_wave>(n, left, right, to_left, to_right, fastest, given);
}

#ifdef __x86_64__
template <class Real>
[[gnu::flatten, gnu::target("avx2")]] void f_wave_avx2(std::size_t n, const cell_line<Real>& left,
                                                       const cell_line<Real>& right, const update_line<Real>& to_left,
                                                       const update_line<Real>& to_right, Real* fastest,
                                                       const constants<Real>& given) {
  solve_lines<riemann::f_wave>(n, left, right, to_left, to_right, fastest, given);
}
#endif

}  // namespace

template <class Real>
edge_loop<Real> f_wave_loop(instruction_set set) {
#ifdef __x86_64__
  if (set == instruction_set::avx2) return f_wave_avx2<Real>;
#endif
  static_cast<void>(set);
  return f_wave_portable<Real>;
}

template edge_loop<float> f_wave_loop(instruction_set);
template edge_loop<double> f_wave_loop(instruction_set);

}  // namespace shoal::swe
