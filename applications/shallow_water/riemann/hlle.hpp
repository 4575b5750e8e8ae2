/// The HLLE solver with a wave for the bed.
///
/// Depth, momentum and momentum flux jump at an edge. Their jump, without that of a steady state over the step of the
/// bed, is split into waves with Einfeldt's two speeds and a third one between, which carries momentum only (Einfeldt
/// 1988; George 2008 for the third wave and the steady state).
#pragma once

#include "applications/shallow_water/riemann/edge.hpp"

namespace shoal::swe::riemann {

struct hlle {
  template <class Real>
  static inline edge_updates<Real> solve(const cell<Real>& left, const cell<Real>& right,
                                         const constants<Real>& given) {
    const Real zero = Real(0);
    const Real half = Real(0.5);
    const edge_problem<Real> p = pose(left, right, left.h, right.h, given);
    const outer_speeds<Real> s = einfeldt_or_front_speeds(p, given);
    const Real gap = s.right - s.left;
    const Real inverse_gap = Real(1) / (gap > zero ? gap : Real(1));

    // The water between the outer waves on a flat bed, times `gap`. It is never negative, and with the step of the bed
    // no depth beside the edge may become so: that bounds the jump of the depth in the steady state. Where all waves go
    // to one side, `pose` has set one of the bounds, and `least_speed` lifts it here.
    const Real least_speed = Real(1e-30);
    const Real jump_normal = p.normal_right - p.normal_left;
    const Real middle = larger((s.right * p.h_right - s.left * p.h_left) - jump_normal, zero);
    const Real most = middle / larger(s.left > zero ? s.left : s.right, least_speed);
    const Real least = middle / smaller(s.right < zero ? s.right : s.left, -least_speed);
    const Real steady = larger(smaller(-p.bed_step, most), least);

    const Real jump_h = p.h_right - p.h_left;
    const Real moved_h = jump_h - steady;
    const Real moved_flux = (p.normal_right * p.u_right - p.normal_left * p.u_left) +
                            half * given.gravity * (p.h_left + p.h_right) * (jump_h + p.bed_step);
    const Real strength_left = (s.right * moved_h - jump_normal) * inverse_gap;
    const Real strength_right = (jump_normal - s.left * moved_h) * inverse_gap;
    const Real h_left = s.left * strength_left;
    const Real h_right = s.right * strength_right;
    const Real normal_left = s.left * h_left;
    const Real normal_right = s.right * h_right;
    const Real normal_middle = moved_flux - (normal_left + normal_right);

    const Real of_left = part_to_left(s.left);
    const Real of_middle = part_to_left(half * (s.left + s.right));
    const Real of_right = part_to_left(s.right);
    waves<Real> found;
    found.h_to_left = of_left * h_left + of_right * h_right;
    found.h_to_right = (Real(1) - of_left) * h_left + (Real(1) - of_right) * h_right;
    found.normal_to_left = (of_left * normal_left + of_right * normal_right) + of_middle * normal_middle;
    found.normal_to_right = ((Real(1) - of_left) * normal_left + (Real(1) - of_right) * normal_right) +
                            (Real(1) - of_middle) * normal_middle;
    found.fastest = larger(-s.left, s.right);
    return finish(p, found);
  }
};

}  // namespace shoal::swe::riemann
