// Goal: also on real processes, a message goes out even if its sender is never idle, fills no buffer for its target and
// only sends to another PE. Method: the sender stops when the receiver's handler has run; without the limit that would
// never happen, so a long timeout stands for never.
// pes: 2
#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/shoal.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t never_ns = 30'000'000'000;

TEST_ON_PES(latency_on_pes, is_limited_while_the_sender_sends_to_itself) {
  world& w = world::current();
  const symmetric<std::int64_t> has_arrived = w.allocate<std::int64_t>(1);
  std::uint64_t n_to_itself = 0;
  {
    actor sign{w, [&](std::int64_t value) {
                 w.put(has_arrived, 0, value, pe_id{0});
                 w.quiet();
               }};
    actor fill{w, [&](std::int64_t) { ++n_to_itself; }};
    sign.limit_latency(200);
    fill.limit_latency(1000);
    w.finish([&] {
      if (w.my_pe() != 0) return;
      sign.send(1, 1);
      const std::uint64_t begin_ns = w.now_ns();
      while (w.get(has_arrived, 0, pe_id{0}) == 0 && w.now_ns() - begin_ns < never_ns) fill.send(0, 1);
      EXPECT_EQ(w.get(has_arrived, 0, pe_id{0}), 1);
      EXPECT_LT(w.now_ns() - begin_ns, never_ns);
    });
  }
  w.deallocate(has_arrived);
}

}  // namespace
}  // namespace shoal::test
