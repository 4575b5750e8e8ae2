/// The augmented solver of George (2008): as HLLE with a wave for the bed, and
/// - the outer speeds and the height that water climbs at a wall come from the exact solution;
/// - the steady state over the bed is one of moving water;
/// - a rarefaction across the edge gets the third wave.
///
/// It branches and iterates, so it handles one edge at a time.
#pragma once

#include <algorithm>
#include <cmath>

#include "applications/shallow_water/riemann/edge.hpp"
#include "applications/shallow_water/riemann/middle_state.hpp"

namespace shoal::swe::riemann {

struct augmented {
  template <class Real>
  static edge_updates<Real> solve(const cell<Real>& left, const cell<Real>& right, const constants<Real>& given) {
    if (left.h < given.dry_depth && right.h < given.dry_depth) return {};
    const edge_problem<Real> p = pose(left, right, climb(left.h, left.normal, right.h, given),
                                      climb(right.h, -right.normal, left.h, given), given);
    const Real h_left = p.left_is_dry ? Real(0) : p.h_left;
    const Real h_right = p.right_is_dry ? Real(0) : p.h_right;
    const wave_fan<Real> fan = fan_between(h_left, p.u_left, h_right, p.u_right, given.gravity);
    outer_speeds<Real> s = einfeldt_or_front_speeds(p, given);
    if (fan.h > 0) {
      s.left = std::min(s.left, fan.inner_left);
      s.right = std::max(s.right, fan.inner_right);
    }
    return finish(p, waves_of(p, jumps_of(p, fan, s, given), fan, s));
  }

private:
  // The jumps of depth, momentum and momentum flux, less those of the steady state.
  template <class Real>
  struct jumps {
    Real h;
    Real normal;
    Real flux;
  };

  // How high water of depth `h` stands at a wall into which it flows; its depth beside water.
  template <class Real>
  static Real climb(Real h, Real normal, Real h_beyond, const constants<Real>& given) {
    if (h < given.dry_depth || h_beyond >= given.dry_depth) return h;
    const Real u = normal / h;
    return std::max(h, fan_between(h, u, h, -u, given.gravity).h);
  }

  // Whether a wave may stand still at the edge: the state over the bed is then no smooth one.
  template <class Real>
  static bool is_critical(const wave_fan<Real>& fan, const outer_speeds<Real>& s, Real bar, Real tilde, Real scale) {
    const Real small = Real(1e-3);
    return std::abs(bar) <= small * scale || bar * tilde <= 0 || bar * s.left * s.right <= 0 ||
           (s.left <= 0 && fan.inner_left >= 0) || (s.right >= 0 && fan.inner_right <= 0);
  }

  template <class Real>
  static jumps<Real> jumps_of(const edge_problem<Real>& p, const wave_fan<Real>& fan, const outer_speeds<Real>& s,
                              const constants<Real>& given) {
    const Real mean_h = (p.h_left + p.h_right) / 2;
    const Real weight = given.gravity * mean_h;
    const Real mean_u = (p.u_left + p.u_right) / 2;
    const Real bar = mean_u * mean_u - weight;
    const Real tilde = std::max(p.u_left * p.u_right, Real(0)) - weight;
    // Water at rest; else depth and force over the step follow from constant discharge and energy.
    Real steady_h = -p.bed_step;
    Real steady_flux = -weight * p.bed_step;
    if (p.bed_step != 0 && !is_critical(fan, s, bar, tilde, weight)) {
      steady_h = p.bed_step * (weight / bar);
      const Real force_left = -given.gravity * p.h_left * p.bed_step;
      const Real force_right = -given.gravity * p.h_right * p.bed_step;
      steady_flux =
          std::clamp(steady_flux * (tilde / bar), std::min(force_left, force_right), std::max(force_left, force_right));
    }
    jumps<Real> over;
    over.normal = p.normal_right - p.normal_left;
    const Real middle = std::max((s.right * p.h_right - s.left * p.h_left) - over.normal, Real(0));
    const Real most = s.left > 0 ? middle / s.left : s.right > 0 ? middle / s.right : p.h_right;
    const Real least = s.right < 0 ? middle / s.right : s.left < 0 ? middle / s.left : -p.h_left;
    const Real jump_h = p.h_right - p.h_left;
    over.h = jump_h - std::clamp(steady_h, least, most);
    over.flux = (p.normal_right * p.u_right - p.normal_left * p.u_left) + (weight * jump_h - steady_flux);
    return over;
  }

  // The speed of the third wave if a rarefaction reaches across the edge. Else it has none of its own.
  template <class Real>
  static bool third_speed(const wave_fan<Real>& fan, const outer_speeds<Real>& s, Real& speed) {
    if (fan.h <= 0) return false;
    const bool left_reaches_across = fan.left_is_rarefaction && s.left < 0 && fan.inner_left > 0;
    const bool right_reaches_across = fan.right_is_rarefaction && s.right > 0 && fan.inner_right < 0;
    if (!left_reaches_across && !right_reaches_across) return false;
    speed = left_reaches_across ? fan.inner_left : fan.inner_right;
    const Real least_apart = (s.right - s.left) / 8;
    return speed - s.left > least_apart && s.right - speed > least_apart;
  }

  template <class Real>
  static waves<Real> waves_of(const edge_problem<Real>& p, const jumps<Real>& over, const wave_fan<Real>& fan,
                              const outer_speeds<Real>& s) {
    const Real gap = s.right - s.left;
    Real speed = 0;
    if (third_speed(fan, s, speed)) {
      // Three waves (1, s, s²): divided differences.
      const Real left =
          ((over.flux - (speed + s.right) * over.normal) + speed * s.right * over.h) / ((speed - s.left) * gap);
      const Real right =
          ((over.flux - (s.left + speed) * over.normal) + s.left * speed * over.h) / ((s.right - speed) * gap);
      const Real middle = over.h - (left + right);
      if (p.h_left + left >= 0 && p.h_right - right >= 0) {
        return split(s, s.left * left, s.right * right, speed, speed * middle, speed * speed * middle);
      }
    }
    const Real left = s.left * (s.right * over.h - over.normal) / gap;
    const Real right = s.right * (over.normal - s.left * over.h) / gap;
    return split(s, left, right, (s.left + s.right) / 2, Real(0), over.flux - (s.left * left + s.right * right));
  }

  // Depth and momentum that each wave moves, for the outer two (1, s) times what is given.
  template <class Real>
  static waves<Real> split(const outer_speeds<Real>& s, Real left, Real right, Real middle_speed, Real middle_h,
                           Real middle_normal) {
    const Real a = part_to_left(s.left);
    const Real b = part_to_left(middle_speed);
    const Real c = part_to_left(s.right);
    waves<Real> found;
    found.h_to_left = (a * left + c * right) + b * middle_h;
    found.h_to_right = ((1 - a) * left + (1 - c) * right) + (1 - b) * middle_h;
    found.normal_to_left = (a * s.left * left + c * s.right * right) + b * middle_normal;
    found.normal_to_right = ((1 - a) * s.left * left + (1 - c) * s.right * right) + (1 - b) * middle_normal;
    found.fastest = std::max(-s.left, s.right);
    return found;
  }
};

}  // namespace shoal::swe::riemann
