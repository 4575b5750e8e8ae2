/// The f-wave solver of Bale, LeVeque, Mitran and Rossmanith (2003): the difference of the fluxes, less the source of
/// the bed, is split into two waves with Einfeldt's speeds.
///
/// It does not promise depths that stay positive; a cell that would get less than no water is emptied (patch.hpp).
#pragma once

#include "applications/shallow_water/riemann/edge.hpp"

namespace shoal::swe::riemann {

struct f_wave {
  template <class Real>
  static inline edge_updates<Real> solve(const cell<Real>& left, const cell<Real>& right,
                                         const constants<Real>& given) {
    const edge_problem<Real> p = pose(left, right, left.h, right.h, given);
    const outer_speeds<Real> s = einfeldt_speeds(p, given);
    const Real gap = s.right - s.left;
    const Real inverse_gap = Real(1) / (gap > Real(0) ? gap : Real(1));

    const Real jump_h = p.normal_right - p.normal_left;
    const Real jump_normal = (p.normal_right * p.u_right - p.normal_left * p.u_left) +
                             Real(0.5) * given.gravity * (p.h_left + p.h_right) * ((p.h_right - p.h_left) + p.bed_step);
    const Real h_left = (s.right * jump_h - jump_normal) * inverse_gap;
    const Real h_right = (jump_normal - s.left * jump_h) * inverse_gap;
    const Real normal_left = s.left * h_left;
    const Real normal_right = s.right * h_right;

    const Real of_left = part_to_left(s.left);
    const Real of_right = part_to_left(s.right);
    waves<Real> found;
    found.h_to_left = of_left * h_left + of_right * h_right;
    found.h_to_right = (Real(1) - of_left) * h_left + (Real(1) - of_right) * h_right;
    found.normal_to_left = of_left * normal_left + of_right * normal_right;
    found.normal_to_right = (Real(1) - of_left) * normal_left + (Real(1) - of_right) * normal_right;
    found.fastest = larger(-s.left, s.right);
    return finish(p, found);
  }
};

}  // namespace shoal::swe::riemann
