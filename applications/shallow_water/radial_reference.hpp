/// The radial dam break, computed along a radius on a fine grid.
#pragma once

#include <cstddef>
#include <vector>

namespace shoal::swe {

/// Depth and outward velocity by distance from the centre, with equal cells from 0.
struct radial_profile {
  double dr = 1;
  std::vector<double> h;
  std::vector<double> u;

  double h_at(double r) const;
  double u_at(double r) const;
};

/// A cylinder of water of depth `h_inside` and this radius, in water of depth `h_outside`, at time `t`. With `n` cells
/// up to `r_end`, which no wave may reach before. First order in space and time, with exact Riemann solutions; what
/// spreads over the growing circumference is a source.
radial_profile radial_reference(double h_inside, double h_outside, double radius, double t, double r_end,
                                std::size_t n);

}  // namespace shoal::swe
