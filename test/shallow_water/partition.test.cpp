// Goal: the same bits however the domain is cut into patches, on all machines, with all instructions, in both types and
// with all solvers.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "applications/shallow_water/serial_run.hpp"

namespace {

using namespace shoal::swe;

template <class Real>
class shallow_water_partition : public testing::Test {};
using partition_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_partition, partition_types);

constexpr grid_size n_cells_cut = {48, 36};

template <class Real>
void expect_equal(const serial_run<Real>& a, const serial_run<Real>& b) {
  for (std::size_t j = 0; j < n_cells_cut.y; ++j) {
    for (std::size_t i = 0; i < n_cells_cut.x; ++i) ASSERT_EQ(a.cell(i, j), b.cell(i, j)) << i << ", " << j;
  }
  EXPECT_EQ(a.volume(), b.volume());
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(a.n_steps(), b.n_steps());
}

constexpr grid_size cuts[] = {{2, 1}, {1, 3}, {4, 3}, {7, 5}, {48, 36}};

TYPED_TEST(shallow_water_partition, does_not_matter) {
  for (const char* name : {"multi_drop", "pool_drop", "thacker_planar", "island_at_rest", "radial_dam_break"}) {
    for (const solver_kind kind : all_solver_kinds) {
      const scenario from = scenario_of(name, n_cells_cut.x, n_cells_cut.y);
      serial_run<TypeParam> whole(from, n_cells_cut, {1, 1}, kind);
      whole.run_with_fixed_step(from.end_time / 3);
      ASSERT_GT(whole.n_steps(), 5U);
      for (const grid_size& cut : cuts) {
        SCOPED_TRACE(std::string(name) + ", " + to_text(kind) + ", " + std::to_string(cut.x) + " x " +
                     std::to_string(cut.y));
        serial_run<TypeParam> parts(from, n_cells_cut, cut, kind);
        parts.run_with_fixed_step(from.end_time / 3);
        expect_equal(whole, parts);
      }
    }
  }
}

TYPED_TEST(shallow_water_partition, does_not_matter_to_adaptive_steps) {
  for (const char* name : {"multi_drop", "thacker_planar"}) {
    const scenario from = scenario_of(name, n_cells_cut.x, n_cells_cut.y);
    serial_run<TypeParam> whole(from, n_cells_cut, {1, 1}, solver_kind::hlle);
    serial_run<TypeParam> parts(from, n_cells_cut, {5, 4}, solver_kind::hlle, instruction_set::portable);
    whole.run_with_adaptive_step(from.end_time / 4);
    parts.run_with_adaptive_step(from.end_time / 4);
    expect_equal(whole, parts);
  }
}

// FNV-1a of all states' bits.
template <class Real>
std::uint64_t checksum_of(solver_kind kind) {
  serial_run<Real> run(multi_drop(n_cells_cut.x, n_cells_cut.y, 5), n_cells_cut, {3, 2}, kind);
  run.run_with_adaptive_step(5);
  std::uint64_t sum = 14695981039346656037U;
  for (std::size_t j = 0; j < n_cells_cut.y; ++j) {
    for (std::size_t i = 0; i < n_cells_cut.x; ++i) {
      const cell_state<Real> state = run.cell(i, j);
      unsigned char bytes[sizeof state];
      std::memcpy(bytes, &state, sizeof state);
      for (const unsigned char byte : bytes) sum = (sum ^ byte) * 1099511628211U;
    }
  }
  return sum;
}

// These were found with GCC 12 and Clang 19, with and without optimisation, SSE2, AVX2 and FMA. Only who changes what a
// solver computes may change them.
TEST(shallow_water_machines, all_compute_the_same_bits) {
  EXPECT_EQ(checksum_of<float>(solver_kind::hlle), 2948252966847970581U);
  EXPECT_EQ(checksum_of<double>(solver_kind::hlle), 14299870917976811789U);
  EXPECT_EQ(checksum_of<float>(solver_kind::f_wave), 11100579794790111037U);
  EXPECT_EQ(checksum_of<double>(solver_kind::f_wave), 8908901346724122085U);
  EXPECT_EQ(checksum_of<float>(solver_kind::augmented), 17230490376277973205U);
  EXPECT_EQ(checksum_of<double>(solver_kind::augmented), 13284644561965044989U);
}

}  // namespace
