// Water that stands still, which a scheme must not move.
#include <algorithm>
#include <cmath>

#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {
namespace {

template <class Bed>
scenario at_rest(const char* name, double level, Bed bed) {
  scenario made;
  made.name = name;
  made.x_end = 10;
  made.y_end = 10;
  made.boundaries.fill(boundary::wall);
  made.end_time = 5;
  made.dry_depth = 1e-3;
  made.start = [level, bed](double x, double y) -> cell_state<double> {
    const double b = bed(x, y);
    return {.h = std::max(level - b, 0.0), .b = b};
  };
  made.exact = [of = made.start](double x, double y, double) { return of(x, y); };
  return made;
}

double hill(double x, double y, double x_top, double y_top, double width) {
  const double distance = std::hypot(x - x_top, y - y_top) / width;
  return std::exp(-distance * distance);
}

}  // namespace

scenario lake_at_rest(double level) {
  return at_rest("lake_at_rest", level, [level](double x, double y) {
    const double shore = 0.4 * std::max(0.0, x - 7.3);
    const double waves = 0.1 * std::sin(3 * x) * std::cos(2 * y);
    // Half of a dry depth below the surface, where a cell counts as dry though it has water.
    const double bank = level - 5e-4;
    if (std::hypot(x - 3, y - 8) < 1) return bank;
    // A step, as of a quay.
    const double quay = y < 1 ? 0.5 : 0;
    return shore + waves + quay + 0.9 * hill(x, y, 2, 3, 1.2);
  });
}

scenario island_at_rest(double level) {
  return at_rest("island_at_rest", level, [](double x, double y) { return 1.5 * hill(x, y, 4.5, 5.5, 2) - 0.2; });
}

}  // namespace shoal::swe
