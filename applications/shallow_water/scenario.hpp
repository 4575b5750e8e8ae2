/// What a simulation starts from.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "applications/shallow_water/geometry.hpp"
#include "applications/shallow_water/patch.hpp"

namespace shoal::swe {

/// A cell's average is taken to be the value at its centre, which a first-order scheme cannot tell from the average.
struct scenario {
  std::string name;
  double x_begin = 0;
  double x_end = 1;
  double y_begin = 0;
  double y_end = 1;
  std::array<boundary, 4> boundaries = {};  // in the order of `side`
  double end_time = 1;  // seconds
  double dry_depth = 0.01;
  double depth_at_rest = 0;  // of water that no wave has reached; 0 if it differs from place to place
  /// At time 0.
  std::function<cell_state<double>(double x, double y)> start;
  /// At time `t`; empty if there is no formula.
  std::function<cell_state<double>(double x, double y, double t)> exact = {};

  boundary boundary_at(side at) const { return boundaries[static_cast<std::size_t>(at)]; }

  /// Its rectangle with this many cells.
  domain with_cells(std::size_t n_x, std::size_t n_y) const { return {x_begin, x_end, y_begin, y_end, n_x, n_y}; }
};

/// Sets all cells of a patch to the scenario's start.
template <class Real>
void start(patch<Real>& of, const scenario& from);

/// The constants of a simulation of the scenario.
template <class Real>
constants<Real> constants_of(const scenario& of) {
  return {.dry_depth = static_cast<Real>(of.dry_depth)};
}

/// Water 10 m deep in a closed basin of 100 X times 100 Y metres, where X : Y is `n_x` : `n_y` in lowest terms.
/// 15 m deep at both ends.
scenario symmetric_dam_break(std::size_t n_x, std::size_t n_y, double end_time);
/// 12 m deep within 40 m of the point (10 X, 10 Y).
scenario pool_drop(std::size_t n_x, std::size_t n_y, double end_time);
/// 15 m deep in an ellipse around each corner and in a rectangle in the middle.
scenario multi_drop(std::size_t n_x, std::size_t n_y, double end_time);
/// The upper half is land, 20 m higher than the water. 15 m deep in an ellipse in the middle of the lower half.
scenario half_land(std::size_t n_x, std::size_t n_y, double end_time);

/// A lake with a shore, a bank that is just under water, and hills and hollows, dry and wet. The water stands at
/// `level`.
scenario lake_at_rest(double level = 0.7);
/// An island in a closed basin.
scenario island_at_rest(double level = 0.7);

/// Stoker (1957): a dam between 1 m and 0.25 m of water breaks, along x. A rarefaction and a shock.
scenario stoker_dam_break();
/// Ritter (1892): the same on dry ground.
scenario ritter_dam_break();
/// A cylinder of 10 m of water, of radius 11 m, breaks in 1 m of water (Alcrudo and Garcia-Navarro 1993). It has no
/// formula; radial_reference.hpp computes it.
scenario radial_dam_break();

/// Thacker (1981): water in a paraboloid, whose surface is a plane that swings around. The shore moves.
scenario thacker_planar();
/// Thacker (1981): the same basin, whose water rises and sinks in the middle.
scenario thacker_radial();

/// All names that `scenario_of` knows.
std::vector<std::string> scenario_names();

/// The scenario of this name, for a grid of that many cells. Throws std::invalid_argument if there is none.
scenario scenario_of(std::string_view name, std::size_t n_x, std::size_t n_y);

}  // namespace shoal::swe
