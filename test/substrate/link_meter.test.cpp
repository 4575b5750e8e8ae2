// Goal: a PE learns what its links to other nodes cost from the buffers that it sends anyway, however long receivers hold
// them; it learns of changes; and small slots, the own node and a lone outlier teach it nothing. Method: the simulator, whose
// figures are known.
// labels: sim
#include "shoal/substrate/internal/link_meter.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "shoal/base/random.hpp"
#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

constexpr link_figures between_nodes{.latency_ns = 20'000, .overhead_ns = 700, .gap_ns = 100, .gap_per_byte_ns = 0.5};

settings of_two_nodes(std::int64_t n_pes = 2) {
  sim_settings model;
  model.link = between_nodes;
  model.node_link = {.latency_ns = 100, .overhead_ns = 50, .gap_ns = 10, .gap_per_byte_ns = 0.01};
  settings chosen = test::world_of(n_pes, 1, model);
  chosen.node_size.value = (n_pes + 1) / 2;
  chosen.slot_bytes.value = 8192;
  chosen.n_slots.value = 128;
  return chosen;
}

struct buffers {
  int n = 3000;
  enum class sizes : std::uint8_t { small, large, both } of = sizes::large;  // or both in turn
  bool are_alone = false;  // each is sent when the one before has come back
  std::uint64_t held_ns = 0;  // by their receiver
  std::uint64_t made_ns = 0;  // what the sender computes for each
  pe_id n_targets = 1;  // PEs 1 to n_targets in turn; only PE 1 holds them
};

// What PE 0 has learnt, and when.
struct lesson {
  link_costs costs;
  std::uint64_t end_ns = 0;
};

void send_buffers(substrate& machine, const buffers& sent) {
  unsigned patience = 0;
  for (int i = 0; i < sent.n; ++i) {
    machine.charge_ns(sent.made_ns);
    buffer* slot = nullptr;
    while (sent.are_alone && machine.n_free() < machine.n_slots()) machine.wait(patience);
    while ((slot = machine.try_acquire()) == nullptr) {
      EXPECT_EQ(machine.poll(), nullptr);
      machine.wait(patience);
    }
    const bool is_small = sent.of == buffers::sizes::both ? i % 2 == 0 : sent.of == buffers::sizes::small;
    slot->header = {.bytes = is_small ? 64U : 8000U};
    machine.post(*slot, 1 + i % sent.n_targets);
    EXPECT_EQ(machine.poll(), nullptr);
  }
  while (machine.n_free() < machine.n_slots()) machine.wait(patience);
}

void receive_buffers(substrate& machine, int n, std::uint64_t held_ns) {
  for (int i = 0; i < n; ++i) {
    buffer* got = nullptr;
    for (unsigned patience = 0; (got = machine.poll()) == nullptr;) machine.wait(patience);
    machine.charge_ns(held_ns);
    machine.release(*got);
  }
}

// PE 0 sends buffers one after the other, and their targets give them back after a while.
lesson learnt_from(const settings& chosen, const buffers& sent) {
  lesson learnt;
  simulation(chosen).run([&](substrate& machine) {
    const pe_id me = machine.my_pe();
    if (me == 0) {
      send_buffers(machine, sent);
      learnt = {machine.links(), machine.now_ns()};
    } else if (me <= sent.n_targets) {
      receive_buffers(machine, sent.n / static_cast<int>(sent.n_targets), me == 1 ? sent.held_ns : 0);
    }
    test::barrier(machine);
    return 0;
  });
  return learnt;
}

// Buffers wait for one another on the link.
TEST(link_meter, finds_what_links_cost) {
  const link_costs costs = learnt_from(of_two_nodes(), {}).costs;
  EXPECT_NEAR(costs.measured.byte_ns_least, 0.5, 0.05);
  EXPECT_NEAR(costs.measured.byte_ns_most, 0.6, 0.1);
  EXPECT_EQ(costs.network_now(), between_nodes) << "nothing has changed";
  EXPECT_EQ(costs.origin_now(), figures_origin::model);
}

TEST(link_meter, finds_the_same_beside_small_buffers) {
  const link_costs costs = learnt_from(of_two_nodes(), {.n = 6000, .of = buffers::sizes::both}).costs;
  EXPECT_EQ(costs.measured.overhead_ns, 700u);
  EXPECT_NEAR(costs.measured.byte_ns_least, 0.5, 0.08);
}

// Buffers wait for a receiver that is busy, which says nothing of links.
TEST(link_meter, does_not_count_the_time_of_handlers) {
  EXPECT_NEAR(learnt_from(of_two_nodes(), {.held_ns = 1'000}).costs.measured.byte_ns_least, 0.5, 0.1);
  for (const std::uint64_t held_ns : {20'000U, 100'000U, 3'000'000U}) {
    const measured_links found = learnt_from(of_two_nodes(), {.held_ns = held_ns}).costs.measured;
    EXPECT_LE(found.byte_ns_least, 0.55) << held_ns;
    EXPECT_GE(found.byte_ns_most, 0.5) << held_ns;
  }
}

// Half of the buffers lie at a slow PE, the others come back at once.
TEST(link_meter, is_not_deceived_by_a_slow_pe_beside_a_fast_one) {
  settings chosen = of_two_nodes(4);
  chosen.node_size.value = 1;
  for (const std::uint64_t held_ns : {20'000U, 100'000U}) {
    const measured_links found = learnt_from(chosen, {.held_ns = held_ns, .n_targets = 2}).costs.measured;
    EXPECT_LE(found.byte_ns_least, 0.55) << held_ns;
    EXPECT_GE(found.byte_ns_most, 0.45) << held_ns;
  }
}

// A PE that computes sees late what has come back.
TEST(link_meter, does_not_count_the_time_of_the_main_program) {
  for (const std::uint64_t made_ns : {20'000U, 100'000U, 1'000'000U}) {
    const measured_links found = learnt_from(of_two_nodes(), {.made_ns = made_ns}).costs.measured;
    EXPECT_LE(found.byte_ns_least, 0.55) << made_ns;
    EXPECT_GE(found.byte_ns_most, 0.5) << made_ns;
  }
}

// Nor does a link on which no buffer waits say what a byte takes: only what it takes at most.
TEST(link_meter, knows_only_a_bound_of_an_idle_link) {
  const link_costs costs = learnt_from(of_two_nodes(), {.are_alone = true}).costs;
  EXPECT_EQ(costs.measured.byte_ns_least, 0);
  EXPECT_GT(costs.measured.byte_ns_most, 5) << "twice the latency for 8 KB";
  EXPECT_EQ(costs.network_now(), between_nodes);
}

TEST(link_meter, follows_links_that_change) {
  const buffers sent{.n = 20'000, .of = buffers::sizes::both};
  settings chosen = of_two_nodes();
  chosen.sim.value.shift_ns = learnt_from(chosen, sent).end_ns / 2;
  for (const double factor : {4.0, 0.25}) {  // and no buffer overtakes another
    chosen.sim.value.shift_factor = factor;
    const link_costs costs = learnt_from(chosen, sent).costs;
    EXPECT_EQ(costs.network_now().overhead_ns, static_cast<std::uint64_t>(factor * 700));
    EXPECT_NEAR(costs.network_now().gap_per_byte_ns / factor, 0.5, 0.2);
    EXPECT_EQ(costs.network_now().latency_ns, between_nodes.latency_ns) << "nothing is decided by it";
    EXPECT_EQ(costs.origin_now(), figures_origin::counters);
  }
}

TEST(link_meter, learns_no_price_of_bytes_from_small_buffers) {
  EXPECT_EQ(learnt_from(of_two_nodes(), {.of = buffers::sizes::small}).costs.measured.byte_ns_most, 0);
  settings of_small_slots = of_two_nodes();
  of_small_slots.slot_bytes.value = 2048;
  EXPECT_EQ(learnt_from(of_small_slots, {.of = buffers::sizes::small}).costs.measured.byte_ns_most, 0);
}

TEST(link_meter, learns_nothing_where_pes_share_cores) {
  settings chosen = of_two_nodes();
  chosen.sim.value.n_cores = 1;
  EXPECT_EQ(learnt_from(chosen, {}).costs.measured, measured_links{});
}

TEST(link_meter, learns_nothing_within_a_node) {
  EXPECT_EQ(learnt_from(of_two_nodes(4), {}).costs.measured, measured_links{});
}

// --- Alone

class meter_alone : public testing::Test {
protected:
  buffer& buffer_of(std::uint32_t bytes) {
    one_.header = {.bytes = bytes};
    meter_.mark(one_);
    return one_;
  }

  link_meter meter_{8192};
  buffer one_;
};

TEST_F(meter_alone, times_one_buffer_of_each_size_at_a_time) {
  EXPECT_TRUE(is_timed(buffer_of(1024)));
  EXPECT_EQ(link_meter::size_of(one_), link_meter::size::small);
  EXPECT_FALSE(is_timed(buffer_of(1025))) << "neither small nor large";
  EXPECT_TRUE(is_timed(buffer_of(4096)));
  EXPECT_EQ(link_meter::size_of(one_), link_meter::size::large);
  meter_.note_sent(buffer_of(10), 0, 10);
  EXPECT_FALSE(is_timed(buffer_of(20)));
  EXPECT_TRUE(is_timed(buffer_of(8192)));
}

TEST_F(meter_alone, times_nothing_while_it_is_off) {
  meter_ = link_meter(8192, false);
  EXPECT_FALSE(is_timed(buffer_of(10)));
  EXPECT_FALSE(is_timed(buffer_of(8192)));
}

TEST_F(meter_alone, removes_old_marks_and_no_other_flags) {
  one_.header.flags = buffer_header::last | buffer_header::encoded | buffer_header::timed_large;
  one_.header.bytes = 2000;
  meter_.mark(one_);
  EXPECT_EQ(one_.header.flags, buffer_header::last | buffer_header::encoded);
}

}  // namespace
}  // namespace shoal::internal::sim
