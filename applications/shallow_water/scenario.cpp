#include "applications/shallow_water/scenario.hpp"

#include <stdexcept>

namespace shoal::swe {

template <class Real>
void start(patch<Real>& of, const scenario& from) {
  for (std::size_t j = 0; j < of.part().n_y; ++j) {
    for (std::size_t i = 0; i < of.part().n_x; ++i) {
      const cell_state<double> at = from.start(of.x_of(i), of.y_of(j));
      of.set_cell(
          i, j, {static_cast<Real>(at.h), static_cast<Real>(at.hu), static_cast<Real>(at.hv), static_cast<Real>(at.b)});
    }
  }
}

template void start(patch<float>&, const scenario&);
template void start(patch<double>&, const scenario&);

namespace {

struct named_scenario {
  const char* name;
  scenario (*make)(std::size_t n_x, std::size_t n_y);
};

// The end times of the first four are those at which a wave has crossed the basin once or so.
constexpr named_scenario all_scenarios[] = {
    {"symmetric_dam_break", [](std::size_t n_x, std::size_t n_y) { return symmetric_dam_break(n_x, n_y, 10); }},
    {"pool_drop", [](std::size_t n_x, std::size_t n_y) { return pool_drop(n_x, n_y, 10); }},
    {"multi_drop", [](std::size_t n_x, std::size_t n_y) { return multi_drop(n_x, n_y, 10); }},
    {"half_land", [](std::size_t n_x, std::size_t n_y) { return half_land(n_x, n_y, 10); }},
    {"lake_at_rest", [](std::size_t, std::size_t) { return lake_at_rest(); }},
    {"island_at_rest", [](std::size_t, std::size_t) { return island_at_rest(); }},
    {"stoker_dam_break", [](std::size_t, std::size_t) { return stoker_dam_break(); }},
    {"ritter_dam_break", [](std::size_t, std::size_t) { return ritter_dam_break(); }},
    {"radial_dam_break", [](std::size_t, std::size_t) { return radial_dam_break(); }},
    {"thacker_planar", [](std::size_t, std::size_t) { return thacker_planar(); }},
    {"thacker_radial", [](std::size_t, std::size_t) { return thacker_radial(); }},
};

}  // namespace

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const named_scenario& each : all_scenarios) names.emplace_back(each.name);
  return names;
}

scenario scenario_of(std::string_view name, std::size_t n_x, std::size_t n_y) {
  for (const named_scenario& each : all_scenarios) {
    if (name == each.name) return each.make(n_x, n_y);
  }
  throw std::invalid_argument("there is no scenario '" + std::string(name) + "'");
}

}  // namespace shoal::swe
