// Goal: a wait for room does not sleep before it has posted what may end it, on more PEs than cores, too. Method: each
// superstep needs such a message. A sleep that nobody ends takes 100 ms, so many supersteps would take longer than a long
// timeout.
// pes: 3 7
// env: SHOAL_SLOT_BYTES=256 SHOAL_SLOTS=16 SHOAL_SHARED_SLOTS=0
#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/shoal.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t never_ns = 30'000'000'000;

TEST_ON_PES(guards_on_pes, a_wait_for_room_posts_what_enables_the_mailbox_before_it_sleeps) {
  world& w = world::current();
  constexpr int n_supersteps = 600;
  constexpr int n_messages = 200;
  int n_handled = 0;
  actor data{w, [&](std::int64_t) { ++n_handled; }, "data"};
  actor gate{w, [&](int) { data.enable(); }, "gate"};
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  const std::uint64_t begin_ns = w.now_ns();
  for (int step = 0; step < n_supersteps; ++step) {
    data.disable();
    w.barrier();
    w.finish([&] {
      gate.send(next, 1);
      for (int i = 0; i < n_messages; ++i) data.send(next, i);
    });
  }
  EXPECT_LT(w.now_ns() - begin_ns, never_ns);
  EXPECT_EQ(n_handled, n_supersteps * n_messages);
}

}  // namespace
}  // namespace shoal::test
