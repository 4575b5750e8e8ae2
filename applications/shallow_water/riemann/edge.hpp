/// What all solvers share: the two cells at an edge, which of them are wet, walls, and the momentum along the edge.
///
/// Everything here is free of branches, so that loops over edges become vector instructions: both results are computed,
/// and a comparison chooses one. `Real` is float, double, or a type that counts operations.
///
/// All sums are formed so that exchanging the sides of an edge and the sign of its normal gives the same bits: a flow
/// that is symmetric stays so.
#pragma once

#include <cmath>

#include "applications/shallow_water/constants.hpp"

namespace shoal::swe::riemann {

/// A cell as an edge sees it. `normal` and `along` are momenta (hu or hv) across and along the edge.
template <class Real>
struct cell {
  Real h;
  Real normal;
  Real along;
  Real bed;
};

/// How much of a quantity leaves a cell through the edge, times speed: the cell loses `dt / dx` times that.
template <class Real>
struct net_update {
  Real h;
  Real normal;
  Real along;
};

template <class Real>
struct edge_updates {
  net_update<Real> left;
  net_update<Real> right;
  Real fastest;  // the largest absolute wave speed
};

/// The problem that a solver is given: wet on both sides, or dry on one that water may enter. Where dry ground is
/// higher than the water, it holds the water's mirror image instead, which makes a wall.
template <class Real>
struct edge_problem {
  Real h_left, h_right;
  Real normal_left, normal_right;
  Real u_left, u_right;
  Real bed_step;  // right minus left, but no deeper than the water on the higher side's foot
  bool left_is_dry, right_is_dry;  // and no wall
  bool left_is_wall, right_is_wall;
  bool both_are_dry;
  // Of the cells themselves, without mirror images.
  Real flux_left, flux_right;
  Real along_left, along_right;  // velocities
};

/// What a solver answers: updates of depth and normal momentum.
template <class Real>
struct waves {
  Real h_to_left, h_to_right;
  Real normal_to_left, normal_to_right;
  Real fastest;
};

template <class Real>
inline Real smaller(Real a, Real b) {
  return b < a ? b : a;
}

template <class Real>
inline Real larger(Real a, Real b) {
  return a < b ? b : a;
}

/// `overtop_left` and `overtop_right`: what the water of the left and right cell may climb, usually its depth.
template <class Real>
inline edge_problem<Real> pose(const cell<Real>& left, const cell<Real>& right, Real overtop_left, Real overtop_right,
                               const constants<Real>& given) {
  const Real zero = Real(0);
  edge_problem<Real> p;
  const bool left_is_dry = left.h < given.dry_depth;
  const bool right_is_dry = right.h < given.dry_depth;
  const Real inverse_left = Real(1) / (left_is_dry ? Real(1) : left.h);
  const Real inverse_right = Real(1) / (right_is_dry ? Real(1) : right.h);
  p.flux_left = left_is_dry ? zero : left.normal;
  p.flux_right = right_is_dry ? zero : right.normal;
  const Real u_left = p.flux_left * inverse_left;
  const Real u_right = p.flux_right * inverse_right;
  const Real along_left = left.along * inverse_left;
  const Real along_right = right.along * inverse_right;
  p.along_left = left_is_dry ? zero : along_left;
  p.along_right = right_is_dry ? zero : along_right;

  p.both_are_dry = left_is_dry & right_is_dry;
  p.left_is_wall = left_is_dry & !right_is_dry & (left.bed >= right.bed + overtop_right);
  p.right_is_wall = right_is_dry & !left_is_dry & (right.bed >= left.bed + overtop_left);
  p.left_is_dry = left_is_dry & !p.left_is_wall;
  p.right_is_dry = right_is_dry & !p.right_is_wall;

  p.h_left = p.left_is_wall ? right.h : left.h;
  p.h_right = p.right_is_wall ? left.h : right.h;
  p.u_left = p.left_is_wall ? -u_right : u_left;
  p.u_right = p.right_is_wall ? -u_left : u_right;
  p.normal_left = p.left_is_wall ? -p.flux_right : p.flux_left;
  p.normal_right = p.right_is_wall ? -p.flux_left : p.flux_right;
  // A step that is deeper than the water beside it holds back no more than that water.
  const Real step = larger(smaller(right.bed - left.bed, left.h), -right.h);
  p.bed_step = (p.left_is_wall | p.right_is_wall) ? zero : step;
  return p;
}

/// The updates of an edge from a solver's answer. A wall gets none. The flow carries the momentum along the edge, as
/// the water from which it comes has it; this is exact for the shallow water equations, and keeps the velocity between
/// those of the two cells.
template <class Real>
inline edge_updates<Real> finish(const edge_problem<Real>& p, const waves<Real>& found) {
  const Real zero = Real(0);
  const bool nothing_to_left = p.left_is_wall | p.both_are_dry;
  const bool nothing_to_right = p.right_is_wall | p.both_are_dry;
  edge_updates<Real> to;
  to.left.h = nothing_to_left ? zero : found.h_to_left;
  to.left.normal = nothing_to_left ? zero : found.normal_to_left;
  to.right.h = nothing_to_right ? zero : found.h_to_right;
  to.right.normal = nothing_to_right ? zero : found.normal_to_right;
  to.fastest = p.both_are_dry ? zero : found.fastest;

  const bool is_closed = p.left_is_wall | p.right_is_wall | p.both_are_dry;
  // Both expressions are the flow through the edge; their mean does not prefer a side.
  const Real through = Real(0.5) * ((p.flux_left + found.h_to_left) + (p.flux_right - found.h_to_right));
  const Real carried = through * (through > zero ? p.along_left : p.along_right);
  const Real passed = is_closed ? zero : carried;
  to.left.along = passed - p.flux_left * p.along_left;
  to.right.along = p.flux_right * p.along_right - passed;
  return to;
}

/// The speeds of the two outer waves.
template <class Real>
struct outer_speeds {
  Real left;
  Real right;
};

/// Einfeldt's speeds: those of the cells and Roe's averages, whichever are farther apart.
template <class Real>
inline outer_speeds<Real> einfeldt_speeds(const edge_problem<Real>& p, Real c_left, Real c_right,
                                          const constants<Real>& given) {
  using std::sqrt;
  // Roe's weights are square roots of depths, to which the c are proportional.
  const Real weights = c_left + c_right;
  const Real u_mean = (p.u_left * c_left + p.u_right * c_right) / (weights > Real(0) ? weights : Real(1));
  const Real c_mean = sqrt(Real(0.5) * given.gravity * (p.h_left + p.h_right));
  return {smaller(p.u_left - c_left, u_mean - c_mean), larger(p.u_right + c_right, u_mean + c_mean)};
}

template <class Real>
inline outer_speeds<Real> einfeldt_speeds(const edge_problem<Real>& p, const constants<Real>& given) {
  using std::sqrt;
  return einfeldt_speeds(p, sqrt(given.gravity * p.h_left), sqrt(given.gravity * p.h_right), given);
}

/// Einfeldt's speeds, and towards dry ground the speed of the front.
template <class Real>
inline outer_speeds<Real> einfeldt_or_front_speeds(const edge_problem<Real>& p, const constants<Real>& given) {
  using std::sqrt;
  const Real c_left = sqrt(given.gravity * p.h_left);
  const Real c_right = sqrt(given.gravity * p.h_right);
  const outer_speeds<Real> s = einfeldt_speeds(p, c_left, c_right, given);
  const Real front_left = p.u_right - (c_right + c_right);
  const Real front_right = p.u_left + (c_left + c_left);
  return {p.left_is_dry ? smaller(s.left, front_left) : s.left,
          p.right_is_dry ? larger(s.right, front_right) : s.right};
}

/// The part of a wave of this speed that goes to the left cell: all, nothing, or half of one that stands still.
template <class Real>
inline Real part_to_left(Real speed) {
  const Real still = Real(1e-7);
  return speed < -still ? Real(1) : (speed > still ? Real(0) : Real(0.5));
}

}  // namespace shoal::swe::riemann
