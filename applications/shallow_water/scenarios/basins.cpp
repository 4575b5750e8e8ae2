// The scenarios of Pond: a closed basin on a flat bed, with columns of water on a surface at rest.
#include <cmath>
#include <numeric>

#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {
namespace {

constexpr double rest = 10;

// The size of the basin in units of 100 m: the ratio of the numbers of cells.
struct proportions {
  double x;
  double y;
};

proportions proportions_of(std::size_t n_x, std::size_t n_y) {
  const std::size_t common = std::gcd(n_x, n_y);
  return {static_cast<double>(n_x / common), static_cast<double>(n_y / common)};
}

scenario basin(const char* name, const proportions& of, double end_time) {
  scenario made;
  made.name = name;
  made.x_end = 100 * of.x;
  made.y_end = 100 * of.y;
  made.boundaries.fill(boundary::wall);
  made.end_time = end_time;
  made.depth_at_rest = rest;
  return made;
}

}  // namespace

scenario symmetric_dam_break(std::size_t n_x, std::size_t n_y, double end_time) {
  const proportions of = proportions_of(n_x, n_y);
  scenario made = basin("symmetric_dam_break", of, end_time);
  made.start = [of](double x, double) -> cell_state<double> {
    return {.h = x <= 15 * of.x || x >= 85 * of.x ? 15 : rest};
  };
  return made;
}

scenario pool_drop(std::size_t n_x, std::size_t n_y, double end_time) {
  const proportions of = proportions_of(n_x, n_y);
  scenario made = basin("pool_drop", of, end_time);
  made.start = [of](double x, double y) -> cell_state<double> {
    return {.h = std::hypot(x - 10 * of.x, y - 10 * of.y) < 40 ? 12 : rest};
  };
  return made;
}

scenario multi_drop(std::size_t n_x, std::size_t n_y, double end_time) {
  const proportions of = proportions_of(n_x, n_y);
  scenario made = basin("multi_drop", of, end_time);
  made.start = [of](double x, double y) -> cell_state<double> {
    const double to_corner_x = std::min(x, 100 * of.x - x) / (10 * of.x);
    const double to_corner_y = std::min(y, 100 * of.y - y) / (10 * of.y);
    const bool is_at_corner = to_corner_x * to_corner_x + to_corner_y * to_corner_y < 1;
    const bool is_in_middle = std::abs(x - 50 * of.x) < 10 * of.x && std::abs(y - 50 * of.y) < 10 * of.y;
    return {.h = is_at_corner || is_in_middle ? 15 : rest};
  };
  return made;
}

scenario half_land(std::size_t n_x, std::size_t n_y, double end_time) {
  const proportions of = proportions_of(n_x, n_y);
  scenario made = basin("half_land", of, end_time);
  made.depth_at_rest = 0;
  made.start = [of](double x, double y) -> cell_state<double> {
    if (y > 50 * of.y) return {.b = rest + 20};
    const double to_middle_x = (x - 50 * of.x) / (20 * of.x);
    const double to_middle_y = (y - 25 * of.y) / (10 * of.y);
    return {.h = to_middle_x * to_middle_x + to_middle_y * to_middle_y < 1 ? 15 : rest};
  };
  return made;
}

}  // namespace shoal::swe
