// Goal: the numbers of streams go on beyond 2^32, so that no program constructs too many. (Numbers of sessions wrap in
// every test with three supersteps, see buffer_header::session_before_first.)
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

using namespace internal;
namespace {

constexpr int n_conveyors = 4;

// The sum of what one conveyor brought; every PE sends `mine` to every PE.
std::uint64_t sum_over(exchange& ex, std::uint64_t mine) {
  conveyor<std::uint64_t> all(ex);
  all.begin();
  std::uint64_t sum = 0;
  pe_id target = 0;
  const pe_id n_pes = ex.backend().n_pes();
  while (all.advance(target == n_pes) != progress::complete) {
    while (target < n_pes && all.push(mine, target)) ++target;
    while (const std::uint64_t* const item = all.pull()) sum += *item;
  }
  return sum;
}

// Some PEs are slow, so the first items of a conveyor arrive at PEs that have not constructed it yet.
TEST(numbers, of_streams_do_not_wrap) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    settings chosen = simulated(5, seed);
    chosen.sim.value.slow_share = 0.4;
    const int status = run_on_substrate(chosen, resolve, [&](substrate& machine) {
      exchange ex(machine, {});
      ex.begin_numbers(UINT64_C(0xffff'fffe));
      random_engine pace(seed, static_cast<std::uint64_t>(machine.my_pe()));
      for (std::uint64_t i = 1; i <= n_conveyors; ++i) {
        machine.charge_ns(pace.below(50'000));
        EXPECT_EQ(sum_over(ex, i), 5 * i) << "conveyor " << i << ", seed " << seed;
      }
      EXPECT_EQ(ex.next_number(), UINT64_C(0x1'0000'0002));
      return 0;
    });
    EXPECT_EQ(status, 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shoal::test
