/// Heights that were measured on a grid, such as the bed of a sea.
#pragma once

#include <optional>
#include <vector>

#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {

/// Heights at the crossings of lines, in metres. Sea level is 0.
struct height_grid {
  std::vector<double> x;  // strictly ascending, at least one
  std::vector<double> y;  // the same
  std::vector<float> heights;  // at (x[i], y[j]): number j * x.size() + i

  /// Between the lines bilinear; beyond the outermost ones, the height there.
  double at(double to_x, double to_y) const;

  bool covers(double its_x, double its_y) const {
    return its_x >= x.front() && its_x <= x.back() && its_y >= y.front() && its_y <= y.back();
  }
};

/// A circle in which the sea stands higher when the simulation starts.
struct displacement {
  double x = 0;
  double y = 0;
  double radius = 0;
  double height = 50;
};

/// The sea at rest over this bed, but for a displacement. Waves leave the domain, which is that of the grid. `uplift`
/// is how far an earthquake has raised the bed, and the water over it; beyond its grid nothing moves. Throws
/// std::invalid_argument if a displacement that has a radius lies on land.
scenario sea_over(height_grid bed, const displacement& start, double end_time,
                  std::optional<height_grid> uplift = std::nullopt);

}  // namespace shoal::swe
