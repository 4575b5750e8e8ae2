/// The body of the loops of edge_loop.hpp, for their sources only.
#pragma once

#include "applications/shallow_water/edge_loop.hpp"
#include "applications/shallow_water/riemann/edge.hpp"

namespace shoal::swe {

/// The pointers are parameters, because compilers believe `__restrict` of parameters only.
template <class Solver, class Real>
inline void solve_edges(std::size_t n, const Real* __restrict left_h, const Real* __restrict left_normal,
                        const Real* __restrict left_along, const Real* __restrict left_bed,
                        const Real* __restrict right_h, const Real* __restrict right_normal,
                        const Real* __restrict right_along, const Real* __restrict right_bed,
                        Real* __restrict to_left_h, Real* __restrict to_left_normal, Real* __restrict to_left_along,
                        Real* __restrict to_right_h, Real* __restrict to_right_normal, Real* __restrict to_right_along,
                        Real* __restrict fastest, const constants<Real> given) {
  for (std::size_t k = 0; k < n; ++k) {  // edges
    const riemann::cell<Real> left = {left_h[k], left_normal[k], left_along[k], left_bed[k]};
    const riemann::cell<Real> right = {right_h[k], right_normal[k], right_along[k], right_bed[k]};
    const riemann::edge_updates<Real> found = Solver::solve(left, right, given);
    to_left_h[k] = found.left.h;
    to_left_normal[k] = found.left.normal;
    to_left_along[k] = found.left.along;
    to_right_h[k] = found.right.h;
    to_right_normal[k] = found.right.normal;
    to_right_along[k] = found.right.along;
    fastest[k] = riemann::larger(fastest[k], found.fastest);
  }
}

template <class Solver, class Real>
inline void solve_lines(std::size_t n, const cell_line<Real>& left, const cell_line<Real>& right,
                        const update_line<Real>& to_left, const update_line<Real>& to_right, Real* fastest,
                        const constants<Real>& given) {
  solve_edges<Solver>(n, left.h, left.normal, left.along, left.bed, right.h, right.normal, right.along, right.bed,
                      to_left.h, to_left.normal, to_left.along, to_right.h, to_right.normal, to_right.along, fastest,
                      given);
}

}  // namespace shoal::swe
