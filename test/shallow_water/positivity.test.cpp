// Goal: no depth below zero and no infinite number, on random water over random beds.
#include <gtest/gtest.h>

#include <cmath>

#include "applications/shallow_water/serial_run.hpp"
#include "test/shallow_water/states.hpp"

namespace {

using namespace shoal::swe;

template <class Real>
class shallow_water_positivity : public testing::Test {};
using positive_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_positivity, positive_types);

constexpr std::size_t n_random = 16;

// A closed basin of random cells, also dry ones, with beds up to `roughness` times 5 m.
template <class Real>
patch<Real> random_patch(std::uint64_t seed, solver_kind kind, double roughness) {
  const domain whole = {.x_end = n_random, .y_end = n_random, .n_x = n_random, .n_y = n_random};
  patch<Real> made(whole, {.n_x = n_random, .n_y = n_random}, {}, kind);
  test::random_cells<Real> states(seed);
  for (std::size_t j = 0; j < n_random; ++j) {
    for (std::size_t i = 0; i < n_random; ++i) {
      const auto state = states.any();
      made.set_cell(i, j, {state.h, state.normal, state.along, state.bed * Real(roughness)});
    }
  }
  for (const side at : all_sides) made.reflect_bed(at);
  return made;
}

template <class Real>
void step(patch<Real>& of, double courant) {
  for (const side at : all_sides) of.reflect(at, boundary::wall);
  const Real fastest = of.solve();
  of.advance(static_cast<Real>(courant) / fastest);
}

template <class Real>
double volume_of(const patch<Real>& of) {
  fixed_sum sum;
  of.add_depths(sum);
  return sum.value();
}

TYPED_TEST(shallow_water_positivity, depths_stay_positive) {
  for (const solver_kind kind : all_solver_kinds) {
    double gained = 0;
    for (const double roughness : {0.0, 0.1, 1.0}) {
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(std::string(to_text(kind)) + ", roughness " + std::to_string(roughness) + ", seed " +
                     std::to_string(seed));
        auto of = random_patch<TypeParam>(seed, kind, roughness);
        const double before = volume_of(of);
        for (int k = 0; k < 40; ++k) {
          step(of, courant_number);
          for (std::size_t j = 0; j < n_random; ++j) {
            for (std::size_t i = 0; i < n_random; ++i) {
              const auto state = of.cell(i, j);
              ASSERT_GE(state.h, 0) << "step " << k;
              ASSERT_TRUE(std::isfinite(state.h) && std::isfinite(state.hu) && std::isfinite(state.hv)) << k;
            }
          }
        }
        gained = std::max(gained, volume_of(of) / before - 1);
      }
    }
    std::printf("%s: at most %.1e of the water gained by emptied cells\n", to_text(kind), gained);
  }
}

// On a flat bed, with a quarter of a cell for each step, no depth of these two would become negative even if nothing
// emptied cells. So they keep the water, whatever it does.
TYPED_TEST(shallow_water_positivity, nothing_is_emptied_on_a_flat_bed) {
  for (const solver_kind kind : {solver_kind::hlle, solver_kind::augmented}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(std::string(to_text(kind)) + ", seed " + std::to_string(seed));
      auto of = random_patch<TypeParam>(seed, kind, 0);
      const double before = volume_of(of);
      for (int k = 0; k < 20; ++k) step(of, 0.25);
      ASSERT_NEAR(volume_of(of) / before, 1, 20 * std::numeric_limits<TypeParam>::epsilon());
    }
  }
}

}  // namespace
