// Goal: a PE's buffers, what its handlers send beyond the credits, and what it relays for others never take more memory
// than its budget; neither do items that are themselves larger than the budget. Method: every claim on conveyors and
// actors in the simulator with hostile conditions, but with slots of the number and size that follow from a small
// budget.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/contract/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

settings small_budget(std::uint64_t seed, const claim& c) {
  settings chosen = hostile(seed, {.n_mailboxes = c.n_streams});
  chosen.slot_bytes.value = 0;
  chosen.n_slots.value = 0;
  chosen.memory_bytes.value = std::size_t{1} << (20 + seed % 3);
  chosen.node_size.value = 1 + static_cast<std::int64_t>(seed % 3);
  chosen.n_hops.value = c.n_streams == 1 ? 1 + static_cast<std::int64_t>(seed % 3) : 1;
  return chosen;
}

class memory_in_sim : public testing::TestWithParam<claim> {};

TEST_P(memory_in_sim, stays_within_the_budget) {
  const claim& c = GetParam();
  for_seeds(5, [&](std::uint64_t seed) {
    run_job(small_budget(seed, c), [&](world& w) {
      c.check(w, seed);
      EXPECT_LE(w.message_exchange().parts().slots.bytes_most(), w.chosen_settings().memory_bytes.value);
    });
  });
}

std::vector<claim> all_claims() {
  std::vector<claim> all = conveyor_claims();
  for (const std::vector<claim>& more : {kind_claims(), actor_claims()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(claims, memory_in_sim, testing::ValuesIn(all_claims()), claim_name{});

constexpr std::size_t budget_bytes = 64 << 10;
constexpr std::size_t monster_bytes = 5 * budget_bytes + 3;

// Every PE pushes such an item to every PE.
conveyor_counts exchange_monsters(world& w, int n_hops) {
  const std::vector<std::byte> monster(monster_bytes, std::byte{42});
  elastic_conveyor c{w, {.n_hops = n_hops}};
  c.begin();
  pe_id next = 0;
  pe_id n_pulled = 0;
  while (c.advance(next == w.n_pes()) != progress::complete) {
    while (next < w.n_pes() && c.push(monster, next)) ++next;
    while (const elastic_conveyor::item* item = c.pull()) {
      EXPECT_EQ(item->bytes.size(), monster_bytes);
      ++n_pulled;
    }
  }
  EXPECT_EQ(n_pulled, w.n_pes());
  c.reset();
  return c.counts();
}

TEST(memory_in_sim_of_monsters, stays_within_the_budget_and_is_counted) {
  for_seeds(20, [](std::uint64_t seed) {
    settings chosen = hostile(seed, {});
    chosen.slot_bytes.value = 0;
    chosen.n_slots.value = 0;
    chosen.memory_bytes.value = budget_bytes;
    chosen.node_size.value = 1 + static_cast<std::int64_t>(seed % 4);
    run_job(chosen, [&](world& w) {
      const conveyor_counts counts = exchange_monsters(w, 1 + static_cast<int>(seed % 3));
      EXPECT_LE(w.message_exchange().parts().slots.bytes_most(), budget_bytes);
      EXPECT_LE(counts.buffer_bytes_most, 3 * w.message_exchange().parts().slots.bytes_most());  // of up to three hops
      EXPECT_GE(counts.buffer_bytes_most, w.message_exchange().payload_bytes());
      // One that leaves, and one that arrives from each PE.
      EXPECT_GE(counts.monster_bytes_most, monster_bytes);
      EXPECT_LE(counts.monster_bytes_most, monster_bytes * static_cast<std::size_t>(1 + w.n_pes()));
    });
  });
}

}  // namespace
}  // namespace shoal::test
