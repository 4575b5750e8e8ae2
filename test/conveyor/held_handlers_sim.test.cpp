// Goal: while a PE holds its handlers, none runs there, and the PEs that send to it never wait because of that; once they may run
// again, each message is handled, in order. Method: supersteps in the simulator with hostile conditions, in which one PE
// makes progress with its handlers held until all others have sent all that they have, which is far more than the slots.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::int64_t n_each = 2000;

void hold_until_all_have_sent(world& w) {
  const pe_id holder = w.n_pes() - 1;
  std::vector<std::int64_t> next_from(static_cast<std::size_t>(w.n_pes()));
  bool may_handle = w.my_pe() != holder;
  actor numbers(w, [&](std::int64_t value, pe_id from) {
    ASSERT_TRUE(may_handle);
    ASSERT_EQ(next_from[static_cast<std::size_t>(from)]++, value);
  });
  internal::dispatch& arriving = w.message_exchange().arriving();
  w.finish([&] {
    if (w.my_pe() == holder) arriving.hold_handlers(true);
    if (w.my_pe() != holder) {
      for (std::int64_t i = 0; i < n_each; ++i) numbers.send(holder, i);
    } else {
      numbers.send(holder, 0);  // to itself: is kept, too
    }
    w.barrier();
    if (w.my_pe() == holder) {
      for (const std::int64_t each : next_from) ASSERT_EQ(each, 0);
      may_handle = true;
      arriving.hold_handlers(false);
    }
  });
  for (pe_id pe = 0; pe < w.n_pes() && w.my_pe() == holder; ++pe) {
    EXPECT_EQ(next_from[static_cast<std::size_t>(pe)], pe == holder ? 1 : n_each);
  }
}

TEST(held_handlers, keep_no_sender_waiting) {
  for_seeds(20, [](std::uint64_t seed) {
    settings chosen = hostile(seed, {});
    chosen.memory_bytes.value = std::size_t{64} << 20;
    run_job(chosen, hold_until_all_have_sent);
  });
}

// What is parked counts against the budget. Beyond it the slots stay taken, and senders wait until handlers may run.
TEST(held_handlers, park_no_more_than_the_budget) {
  for_seeds(10, [](std::uint64_t seed) {
    constexpr std::int64_t n_sent = 30000;
    settings chosen = hostile(seed, {});
    chosen.slot_bytes.value = 0;
    chosen.n_slots.value = 0;
    chosen.memory_bytes.value = std::size_t{512} << 10;
    run_job(chosen, [](world& w) {
      internal::dispatch& arriving = w.message_exchange().arriving();
      std::int64_t n_handled = 0;
      actor numbers(w, [&](std::int64_t) { ++n_handled; });
      w.finish([&] {
        if (w.my_pe() == 0) {
          arriving.hold_handlers(true);
          for (int i = 0; i < 2000; ++i) w.progress();
          EXPECT_EQ(n_handled, 0);
          arriving.hold_handlers(false);
        } else {
          for (std::int64_t i = 0; i < n_sent; ++i) numbers.send(0, i);
        }
      });
      if (w.my_pe() == 0) {
        EXPECT_EQ(n_handled, n_sent * (w.n_pes() - 1));
      }
      EXPECT_LE(w.message_exchange().parts().slots.bytes_most(), w.chosen_settings().memory_bytes.value);
    });
  });
}

}  // namespace
}  // namespace shoal::test
