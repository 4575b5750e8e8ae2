// Goal: what messages and closures name is fetched ahead, for all but the last of a buffer. Method: one PE sends to itself,
// and counts the calls of each prefetch.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

struct counted {
  std::int64_t n_run = 0;
  mutable std::int64_t n_fetched = 0;
};
struct closure_with_prefetch {
  std::int64_t number;

  void operator()(counted& there) const { EXPECT_EQ(there.n_run++, number); }
  const void* prefetch(const counted& there) const {
    ++there.n_fetched;
    return &there;
  }
};

TEST(fetching_sim, all_but_the_last_messages_of_a_buffer_are_fetched_ahead) {
  run_job(simulated(1), [](world& w) {
    counted closures;
    counted messages;
    lambda_actor runs{w, closures};
    actor handles{w, [&](std::int64_t number) { EXPECT_EQ(messages.n_run++, number); },
                  [&](std::int64_t) {
                    ++messages.n_fetched;
                    return &messages;
                  }};
    constexpr std::int64_t n = 10'000;
    w.finish([&] {
      for (std::int64_t i = 0; i < n; ++i) {
        runs.send(0, closure_with_prefetch{i});
        handles.send(0, i);
      }
    });
    for (const counted& its : {closures, messages}) {
      EXPECT_EQ(its.n_run, n);
      EXPECT_GT(its.n_fetched, 0);
      EXPECT_LE(its.n_fetched, n - 24);
    }
  });
}

}  // namespace
}  // namespace shoal::test
