// Goal: the contract of control messages holds whatever a legal machine does. Method: every claim in the simulator,
// each seed with another number of PEs, other buffers and other hostile conditions.
// labels: sim
// timeout: 180
#include <gtest/gtest.h>

#include "shoal/substrate/internal/sim/simulation.hpp"
#include "test/contract/substrate/control_claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

using namespace internal;
namespace {

void run(const settings& chosen, const std::function<void(substrate&)>& body) {
  sim::simulation whole(chosen);
  EXPECT_EQ(whole.run([&](substrate& machine) {
    body(machine);
    return 0;
  }),
            0);
}

TEST(control_messages_in_sim, keep_their_contract) {
  for (const control_claim& claim : control_claims()) {
    SCOPED_TRACE(claim.name);
    for_seeds(200, [&](std::uint64_t seed) {
      run(hostile(seed, {}), [&](substrate& machine) { claim.check(machine, seed); });
    });
  }
}

TEST(control_messages_in_sim, may_be_left_unread) {
  for_seeds(20, [](std::uint64_t seed) {
    run(hostile(seed, {}), [&](substrate& machine) { leave_control_messages_unread(machine, seed); });
  });
}

std::uint64_t trace_of(std::uint64_t seed, const std::function<void(substrate&)>& body) {
  sim::simulation whole(hostile(seed, {}));
  whole.run([&](substrate& machine) {
    body(machine);
    return 0;
  });
  return whole.trace_hash();
}

TEST(control_messages_in_sim, are_part_of_the_trace) {
  const auto send = [](std::size_t n_bytes) {
    return [n_bytes](substrate& machine) {
      const std::vector<std::byte> bytes(n_bytes);
      while (!machine.try_send_control(bytes, 0)) {
      }
    };
  };
  EXPECT_EQ(trace_of(3, send(7)), trace_of(3, send(7)));
  EXPECT_NE(trace_of(3, send(7)), trace_of(3, send(8)));
}

// Overhead, latency, gap of the bytes, overhead: as for a buffer.
TEST(control_messages_in_sim, take_the_time_of_the_model) {
  settings chosen = simulated(2);
  chosen.sim.value.link.latency_ns = 10'000;
  chosen.sim.value.link.overhead_ns = 300;
  chosen.sim.value.link.gap_per_byte_ns = 2;
  constexpr std::size_t n_bytes = 100;
  sim::simulation whole(chosen);
  whole.run([&](substrate& machine) {
    const std::vector<std::byte> bytes(n_bytes);
    if (machine.my_pe() == 0) {
      EXPECT_TRUE(machine.try_send_control(bytes, 1));
      return 0;
    }
    control_message arrived;
    for (unsigned patience = 0; !machine.poll_control(arrived);) machine.wait(patience);
    const std::uint64_t one_way_ns = 10'000 + 2 * 300 + 2 * (n_bytes + sizeof(buffer_header));
    EXPECT_GE(machine.now_ns(), one_way_ns);
    EXPECT_LE(machine.now_ns(), one_way_ns + 200);
    return 0;
  });
}

}  // namespace
}  // namespace shoal::test
