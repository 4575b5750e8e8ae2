/// Tests that run on all PEs of one job at once, however the job was started: processes under any launcher, threads, the
/// simulator, or one process alone.
///
///     TEST_ON_PES(reductions, fold_the_values_of_all_PEs) {
///       world& w = world::current();
///       EXPECT_EQ(w.sum(1), w.n_pes());
///     }
///
/// PE 0 leads: GoogleTest runs there, with its filters and reports. Before each test, PE 0 tells the other PEs which one
/// it is; they call the same body beside it. A test fails if it fails on any PE.
///
/// All PEs must make the same collective calls. An ASSERT that fails on one PE alone breaks this and ends the job with a
/// report, so EXPECT is usually what is wanted.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "shoal/actor/world.hpp"

namespace shoal::test {

/// Declares a test, before main begins and in the same order in all processes of a job. Returns true.
bool add_test_on_pes(const char* suite, const std::string& name, const char* file, int line,
                     std::function<void()> body);

/// The main of such a program. Runs the tests that GoogleTest's flags on PE 0 select; returns the exit status.
int run_tests_on_pes(int argc, char** argv);

}  // namespace shoal::test

#define TEST_ON_PES(suite, name)                                                                  \
  static void suite##_##name##_on_pes();                                                          \
  [[maybe_unused]] static const bool suite##_##name##_is_added =                                  \
      ::shoal::test::add_test_on_pes(#suite, #name, __FILE__, __LINE__, suite##_##name##_on_pes); \
  static void suite##_##name##_on_pes()
