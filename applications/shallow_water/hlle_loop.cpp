#include "applications/shallow_water/riemann/hlle.hpp"

#include "applications/shallow_water/solve_edges.hpp"
#include "applications/shallow_water/vector_loops.hpp"

namespace shoal::swe {
namespace {

// `flatten` compiles all that the loop calls into it, for its own instructions.
template <class Real>
[[gnu::flatten]] void hlle_portable(std::size_t n, const cell_line<Real>& left, const cell_line<Real>& right,
                                    const update_line<Real>& to_left, const update_line<Real>& to_right, Real* fastest,
                                    const constants<Real>& given) {
  solve_lines<riemann::hlle>(n, left, right, to_left, to_right, fastest, given);
}

#ifdef __x86_64__
template <class Real>
[[gnu::flatten, gnu::target("avx2")]] void hlle_avx2(std::size_t n, const cell_line<Real>& left,
                                                     const cell_line<Real>& right, const update_line<Real>& to_left,
                                                     const update_line<Real>& to_right, Real* fastest,
                                                     const constants<Real>& given) {
  solve_lines<riemann::hlle>(n, left, right, to_left, to_right, fastest, given);
}
#endif

}  // namespace

template <class Real>
edge_loop<Real> hlle_loop(instruction_set set) {
#ifdef __x86_64__
  if (set == instruction_set::avx2) return hlle_avx2<Real>;
#endif
  static_cast<void>(set);
  return hlle_portable<Real>;
}

template edge_loop<float> hlle_loop(instruction_set);
template edge_loop<double> hlle_loop(instruction_set);

}  // namespace shoal::swe
