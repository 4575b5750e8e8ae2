// Goal: a message of a greater priority waits for one buffer of a smaller one at most. Method: handlers of whole buffers,
// so that the test knows where one begins; each sends an urgent message to its own PE, which is due at once.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// On one hop: what this PE sends to itself is here as soon as it is due.
TEST(guards_in_sim, an_urgent_message_waits_for_one_buffer_at_most) {
  for_seeds(50, [](std::uint64_t seed) {
    settings chosen = hostile(seed, {.n_pes_max = 5});
    chosen.n_hops.value = 1;
    chosen.n_slots.value = 64;
    run_job(chosen, [](world& w) {
      constexpr int n_messages = 300;
      int n_urgent = 0;
      int n_sent = 0;
      int n_handled = 0;
      actor urgent{w, [&](int) { ++n_urgent; }, "urgent"};
      actor bulk{w,
                 [&](std::span<const int> batch) {
                   EXPECT_EQ(n_urgent, n_sent);
                   n_handled += static_cast<int>(batch.size());
                   ++n_sent;
                   urgent.send(w.my_pe(), 0);
                   w.charge_ns(5000);
                 },
                 "bulk"};
      urgent.set_priority(1);
      urgent.limit_latency(1);
      w.finish([&] {
        for (int i = 0; i < n_messages; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) bulk.send(pe, i);
        }
      });
      EXPECT_EQ(n_handled, n_messages * w.n_pes());
      EXPECT_EQ(n_urgent, n_sent);
    });
  });
}

}  // namespace
}  // namespace shoal::test
