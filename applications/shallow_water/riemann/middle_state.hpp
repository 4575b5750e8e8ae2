/// The exact solution of a Riemann problem on a flat bed, without its momentum along the edge: what lies between its
/// two waves (Stoker 1957; Toro 2001). For one problem at a time: it iterates.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal::swe::riemann {

/// Two waves with a constant state between. A rarefaction reaches from its outer to its inner speed; both speeds of a
/// shock are equal. Without water between them, `h` is 0, and the inner speeds are those of the two fronts.
template <class Real>
struct wave_fan {
  Real h = 0;
  Real u = 0;
  Real outer_left = 0;
  Real inner_left = 0;
  Real inner_right = 0;
  Real outer_right = 0;
  bool left_is_rarefaction = true;
  bool right_is_rarefaction = true;
};

/// How much the velocity changes across the wave between depth `h_side` and depth `h`, and how fast that grows with h.
template <class Real>
struct velocity_change {
  Real value;
  Real slope;
};

template <class Real>
velocity_change<Real> change_across(Real h, Real h_side, Real gravity) {
  if (h <= h_side) {
    const Real c = std::sqrt(gravity * h);
    return {2 * (c - std::sqrt(gravity * h_side)), gravity / c};
  }
  const Real root = std::sqrt(gravity * (h + h_side) / (2 * h * h_side));
  return {(h - h_side) * root, root - gravity * (h - h_side) / (4 * h * h * root)};
}

/// The depth between the waves of two wet sides, if there is any. The sum of both changes is concave, so Newton's
/// method approaches it from one side.
template <class Real>
Real depth_between(Real h_left, Real u_left, Real h_right, Real u_right, Real gravity) {
  const Real c = (std::sqrt(gravity * h_left) + std::sqrt(gravity * h_right)) / 2 - (u_right - u_left) / 4;
  Real h = c * c / gravity;
  if (h <= std::min(h_left, h_right)) return h;  // two rarefactions
  for (int i = 0; i < 20; ++i) {
    const velocity_change<Real> left = change_across(h, h_left, gravity);
    const velocity_change<Real> right = change_across(h, h_right, gravity);
    const Real excess = (left.value + right.value) + (u_right - u_left);
    const Real next = std::max(h - excess / (left.slope + right.slope), h / 16);
    const bool is_found = std::abs(next - h) <= 4 * std::numeric_limits<Real>::epsilon() * h;
    h = next;
    if (is_found) break;
  }
  return h;
}

/// The fan of a problem with water on at least one side.
template <class Real>
wave_fan<Real> fan_between(Real h_left, Real u_left, Real h_right, Real u_right, Real gravity) {
  const Real c_left = std::sqrt(gravity * h_left);
  const Real c_right = std::sqrt(gravity * h_right);
  wave_fan<Real> fan;
  fan.outer_left = u_left - c_left;
  fan.outer_right = u_right + c_right;
  if (h_left <= 0 || h_right <= 0 || u_right - u_left >= 2 * (c_left + c_right)) {
    fan.inner_left = u_left + 2 * c_left;
    fan.inner_right = u_right - 2 * c_right;
    if (h_left <= 0) fan.outer_left = fan.inner_left = fan.inner_right;
    if (h_right <= 0) fan.outer_right = fan.inner_right = fan.inner_left;
    fan.u = (fan.inner_left + fan.inner_right) / 2;
    return fan;
  }
  fan.h = depth_between(h_left, u_left, h_right, u_right, gravity);
  const Real change_left = change_across(fan.h, h_left, gravity).value;
  const Real change_right = change_across(fan.h, h_right, gravity).value;
  fan.u = (u_left + u_right) / 2 + (change_right - change_left) / 2;
  fan.left_is_rarefaction = fan.h <= h_left;
  fan.right_is_rarefaction = fan.h <= h_right;
  const Real c = std::sqrt(gravity * fan.h);
  fan.inner_left = fan.u - c;
  fan.inner_right = fan.u + c;
  if (!fan.left_is_rarefaction) {
    fan.inner_left = fan.outer_left = u_left - std::sqrt(gravity * fan.h * (fan.h + h_left) / (2 * h_left));
  }
  if (!fan.right_is_rarefaction) {
    fan.inner_right = fan.outer_right = u_right + std::sqrt(gravity * fan.h * (fan.h + h_right) / (2 * h_right));
  }
  return fan;
}

/// Depth and velocity of a problem's solution on the ray x = speed * t.
template <class Real>
struct ray_state {
  Real h;
  Real u;
};

template <class Real>
ray_state<Real> state_on_ray(Real h_left, Real u_left, Real h_right, Real u_right, Real speed, Real gravity) {
  if (h_left <= 0 && h_right <= 0) return {0, 0};
  const wave_fan<Real> fan = fan_between(h_left, u_left, h_right, u_right, gravity);
  if (speed <= fan.outer_left) return {std::max(h_left, Real(0)), h_left > 0 ? u_left : 0};
  if (speed >= fan.outer_right) return {std::max(h_right, Real(0)), h_right > 0 ? u_right : 0};
  if (speed < fan.inner_left) {
    const Real c = (u_left + 2 * std::sqrt(gravity * h_left) - speed) / 3;
    return {c * c / gravity, speed + c};
  }
  if (speed > fan.inner_right) {
    const Real c = (speed - u_right + 2 * std::sqrt(gravity * h_right)) / 3;
    return {c * c / gravity, speed - c};
  }
  return {fan.h, fan.h > 0 ? fan.u : 0};
}

}  // namespace shoal::swe::riemann
