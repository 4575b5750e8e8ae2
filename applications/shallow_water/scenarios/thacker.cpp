// Thacker's oscillations in the paraboloid b = -H (1 - r²/A²), with H the depth in its middle and A the radius of the
// shore at rest. The numbers are those of the SWASHES library (Delestre et al. 2013).
#include <cmath>
#include <numbers>

#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {
namespace {

constexpr double depth = 0.1;
constexpr double radius = 1;
double bed_at(double x, double y) { return depth * ((x * x + y * y) / (radius * radius) - 1); }

cell_state<double> state_of(double surface, double u, double v, double b) {
  const double h = std::max(surface - b, 0.0);
  return {.h = h, .hu = h * u, .hv = h * v, .b = b};
}

template <class Exact>
scenario in_paraboloid(const char* name, double end_time, Exact exact) {
  scenario made;
  made.name = name;
  made.x_begin = made.y_begin = -2;
  made.x_end = made.y_end = 2;
  made.boundaries.fill(boundary::wall);
  made.end_time = end_time;
  made.dry_depth = 1e-4;
  made.start = [exact](double x, double y) { return exact(x, y, 0); };
  made.exact = exact;
  return made;
}

}  // namespace

scenario thacker_planar() {
  const double frequency = std::sqrt(2 * standard_gravity * depth) / radius;
  constexpr double swing = 0.5;  // how far the middle of the water is from that of the basin, in metres
  return in_paraboloid("thacker_planar", 2 * std::numbers::pi / frequency, [=](double x, double y, double t) {
    const double c = std::cos(frequency * t);
    const double s = std::sin(frequency * t);
    const double surface = swing * depth / (radius * radius) * (2 * x * c + 2 * y * s - swing);
    return state_of(surface, -swing * frequency * s, swing * frequency * c, bed_at(x, y));
  });
}

scenario thacker_radial() {
  const double frequency = std::sqrt(8 * standard_gravity * depth) / radius;
  constexpr double start_radius = 0.8;
  constexpr double a =
      (radius * radius - start_radius * start_radius) / (radius * radius + start_radius * start_radius);
  return in_paraboloid("thacker_radial", 2 * std::numbers::pi / frequency, [=](double x, double y, double t) {
    const double swell = 1 - a * std::cos(frequency * t);
    const double r2 = (x * x + y * y) / (radius * radius);
    const double surface = depth * (std::sqrt(1 - a * a) / swell - 1 - r2 * ((1 - a * a) / (swell * swell) - 1));
    const double stretch = frequency * a * std::sin(frequency * t) / (2 * swell);
    return state_of(surface, stretch * x, stretch * y, bed_at(x, y));
  });
}

}  // namespace shoal::swe
