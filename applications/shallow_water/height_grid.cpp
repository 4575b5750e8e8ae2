#include "applications/shallow_water/height_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace shoal::swe {
namespace {

// Where a coordinate lies: between lines `first` and `second`, this part of the way.
struct between_lines {
  std::size_t first;
  std::size_t second;
  double part;
};

between_lines lines_around(const std::vector<double>& lines, double at) {
  if (!(at > lines.front())) return {0, 0, 0};
  const std::size_t last = lines.size() - 1;
  if (at >= lines.back()) return {last, last, 0};
  const auto second = static_cast<std::size_t>(std::ranges::upper_bound(lines, at) - lines.begin());
  return {second - 1, second, (at - lines[second - 1]) / (lines[second] - lines[second - 1])};
}

}  // namespace

double height_grid::at(double to_x, double to_y) const {
  const between_lines in_x = lines_around(x, to_x);
  const between_lines in_y = lines_around(y, to_y);
  const auto along_row = [&](std::size_t j) {
    const float* const row = heights.data() + j * x.size();
    return (1 - in_x.part) * static_cast<double>(row[in_x.first]) + in_x.part * static_cast<double>(row[in_x.second]);
  };
  return (1 - in_y.part) * along_row(in_y.first) + in_y.part * along_row(in_y.second);
}

scenario sea_over(height_grid bed, const displacement& start, double end_time, std::optional<height_grid> uplift) {
  if (start.radius > 0 && bed.at(start.x, start.y) >= 0) {
    throw std::invalid_argument("the displacement at " + std::to_string(start.x) + ", " + std::to_string(start.y) +
                                " m is on land; choose a place in the sea");
  }
  scenario made;
  made.name = "sea";
  made.x_begin = bed.x.front();
  made.x_end = bed.x.back();
  made.y_begin = bed.y.front();
  made.y_end = bed.y.back();
  made.boundaries.fill(boundary::outflow);
  made.end_time = end_time;
  // Copies of the scenario share the grids.
  struct grids {
    height_grid bed;
    std::optional<height_grid> uplift;
  };
  made.start = [of = std::make_shared<const grids>(std::move(bed), std::move(uplift)), start](
                   double x, double y) -> cell_state<double> {
    const double b = of->bed.at(x, y);
    const bool is_raised = b < 0 && std::hypot(x - start.x, y - start.y) < start.radius;
    const bool is_lifted = of->uplift && of->uplift->covers(x, y);
    return {.h = std::max(-b + (is_raised ? start.height : 0), 0.0), .b = b + (is_lifted ? of->uplift->at(x, y) : 0)};
  };
  return made;
}

}  // namespace shoal::swe
