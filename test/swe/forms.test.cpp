// Goal: a simulation of shallow water ends in the same bits for any form, number of PEs and patch size, in float and in double.
// Method: the digest of the state beside that of one patch in one process.
// pes: 1 2 3 4 7
#include "test/support/tests_on_pes.hpp"
#include "test/swe/expected_state.hpp"

namespace {

using namespace shoal;

swe::simulation small(const char* scenario, std::uint64_t patch_size, double end) {
  return {.scenario_name = scenario, .n_x = 40, .n_y = 24, .patch_size = patch_size, .end_time = end};
}

TEST_ON_PES(swe, waves_are_the_same_bits_in_all_forms) {
  world& w = world::current();
  for (const std::uint64_t patch_size : {5U, 16U, 100U}) {
    test::expect_same_bits<double>(w, small("pool_drop", patch_size, 3));
    test::expect_same_bits<float>(w, small("multi_drop", patch_size, 2));
  }
}

TEST_ON_PES(swe, shores_are_the_same_bits_in_all_forms) {
  world& w = world::current();
  for (const std::uint64_t patch_size : {7U, 12U}) {
    swe::simulation what = small("thacker_planar", patch_size, 0.2);
    for (const swe::solver_kind solver : swe::all_solver_kinds) {
      what.solver = solver;
      test::expect_same_bits<double>(w, what);
    }
  }
}

TEST_ON_PES(swe, steps_that_follow_the_waves_are_the_same_in_all_forms) {
  world& w = world::current();
  for (const swe::step_rule steps : {swe::step_rule::exact, swe::step_rule::behind}) {
    swe::simulation what = small("pool_drop", 9, 3);
    what.steps = steps;
    test::expect_same_bits<double>(w, what);
    what.patch_size = 24;  // fewer patches than PEs
    test::expect_same_bits<double>(w, what);
    test::expect_same_bits<float>(w, what);
  }
}

// Water that no wave has reached costs nothing: the drop is in a corner.
TEST_ON_PES(swe, lazy_patches_compute_only_where_waves_are) {
  world& w = world::current();
  swe::simulation what = small("pool_drop", 4, 1);
  what.is_lazy = true;
  const swe::run_report report = swe::run<double>(w, what, swe::form::actors);
  EXPECT_GT(report.computed.n_patch_steps, 0U);
  EXPECT_LT(report.computed.n_patch_steps, report.n_patches * report.n_steps / 2);
}

}  // namespace
