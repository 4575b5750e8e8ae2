// Dams that break on a flat bed, along a line or around a cylinder.
#include <cmath>

#include "applications/shallow_water/riemann/middle_state.hpp"
#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {
namespace {

// A dam at x = 0, in a channel whose ends no wave reaches.
scenario along_x(const char* name, double h_left, double h_right) {
  scenario made;
  made.name = name;
  made.x_begin = -10;
  made.x_end = 10;
  made.y_end = 2;
  made.boundaries = {boundary::outflow, boundary::outflow, boundary::wall, boundary::wall};
  made.end_time = 1.5;
  made.dry_depth = 1e-4;
  made.start = [=](double x, double) -> cell_state<double> { return {.h = x < 0 ? h_left : h_right}; };
  made.exact = [=, of = made.start](double x, double y, double t) -> cell_state<double> {
    if (t <= 0) return of(x, y);
    const auto [h, u] = riemann::state_on_ray(h_left, 0.0, h_right, 0.0, x / t, standard_gravity);
    return {.h = h, .hu = h * u};
  };
  return made;
}

}  // namespace

scenario stoker_dam_break() { return along_x("stoker_dam_break", 1, 0.25); }

scenario ritter_dam_break() { return along_x("ritter_dam_break", 1, 0); }

scenario radial_dam_break() {
  scenario made;
  made.name = "radial_dam_break";
  made.x_begin = made.y_begin = -25;
  made.x_end = made.y_end = 25;
  made.boundaries.fill(boundary::outflow);
  made.end_time = 0.69;
  made.start = [](double x, double y) -> cell_state<double> { return {.h = std::hypot(x, y) < 11 ? 10.0 : 1.0}; };
  return made;
}

}  // namespace shoal::swe
