#include "applications/shallow_water/radial_reference.hpp"

#include <algorithm>
#include <cmath>

#include "applications/shallow_water/constants.hpp"
#include "applications/shallow_water/riemann/middle_state.hpp"

namespace shoal::swe {
namespace {

double interpolated(const std::vector<double>& of, double dr, double r) {
  const double at = std::clamp(r / dr - 0.5, 0.0, static_cast<double>(of.size() - 1));
  const auto k = std::min(static_cast<std::size_t>(at), of.size() - 2);
  const double part = at - static_cast<double>(k);
  return (1 - part) * of[k] + part * of[k + 1];
}

double fastest_of(const radial_profile& now) {
  double fastest = 0;
  for (std::size_t k = 0; k < now.h.size(); ++k) {
    fastest = std::max(fastest, std::abs(now.u[k]) + std::sqrt(standard_gravity * now.h[k]));
  }
  return fastest;
}

// The fluxes of depth and momentum through the ends of all cells. At the centre nothing flows, and the pressure pushes
// back.
void find_fluxes(const radial_profile& now, std::vector<double>& of_h, std::vector<double>& of_hu) {
  const std::size_t n = now.h.size();
  for (std::size_t k = 0; k <= n; ++k) {
    const std::size_t inside = k == 0 ? 0 : k - 1;
    const std::size_t outside = std::min(k, n - 1);
    const double u_inside = k == 0 ? -now.u[0] : now.u[inside];
    const auto [h, u] =
        riemann::state_on_ray(now.h[inside], u_inside, now.h[outside], now.u[outside], 0.0, standard_gravity);
    of_h[k] = h * u;
    of_hu[k] = h * u * u + standard_gravity * h * h / 2;
  }
}

}  // namespace

double radial_profile::h_at(double r) const { return interpolated(h, dr, r); }

double radial_profile::u_at(double r) const { return interpolated(u, dr, r); }

radial_profile radial_reference(double h_inside, double h_outside, double radius, double t, double r_end,
                                std::size_t n) {
  radial_profile now{.dr = r_end / static_cast<double>(n), .h = std::vector<double>(n), .u = std::vector<double>(n)};
  const auto r_of = [&](std::size_t k) { return (static_cast<double>(k) + 0.5) * now.dr; };
  for (std::size_t k = 0; k < n; ++k) now.h[k] = r_of(k) < radius ? h_inside : h_outside;

  std::vector<double> flux_h(n + 1);
  std::vector<double> flux_hu(n + 1);
  for (double time = 0; time < t;) {
    const double dt = std::min(0.9 * now.dr / fastest_of(now), t - time);
    find_fluxes(now, flux_h, flux_hu);
    for (std::size_t k = 0; k < n; ++k) {
      const double hu = now.h[k] * now.u[k];
      const double spread = dt / r_of(k);
      const double new_h = now.h[k] - dt / now.dr * (flux_h[k + 1] - flux_h[k]) - spread * hu;
      const double new_hu = hu - dt / now.dr * (flux_hu[k + 1] - flux_hu[k]) - spread * hu * now.u[k];
      now.h[k] = new_h;
      now.u[k] = new_hu / new_h;
    }
    time += dt;
  }
  return now;
}

}  // namespace shoal::swe
