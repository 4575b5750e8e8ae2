// Goal: collectives of arrays go on where the contract's claims do not lead: on more PEs than a round has room for lengths,
// with arrays far larger than the memory budget, and where a PE does not come. Method: the simulator.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <regex>
#include <span>
#include <vector>

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr pe_id n_many = 150;  // the lengths of all-to-all take 1200 bytes

// Also fewer elements than PEs, so that many blocks are empty.
TEST(arrays_sim, go_on_among_many_PEs) {
  run_job(simulated(n_many), [](world& w) {
    for (const std::size_t n : {std::size_t{130}, std::size_t{2000}}) {
      std::vector<std::uint64_t> values(4 * n, static_cast<std::uint64_t>(w.my_pe()));
      w.sum(std::span(values));
      EXPECT_EQ(std::ranges::count(values, n_many * (n_many - 1) / 2), static_cast<std::ptrdiff_t>(values.size()));
      std::vector<std::array<std::uint64_t, 100>> wide(n / 40);
      for (auto& one : wide) one.fill(1);
      const auto all = w.gather(std::span(wide).first(static_cast<std::size_t>(w.my_pe()) % 3));
      for (pe_id pe = 0; pe < n_many; ++pe) EXPECT_EQ(all[pe].size(), static_cast<std::size_t>(pe) % 3);
    }
    std::vector<std::vector<std::uint16_t>> out(n_many);
    for (pe_id pe = 0; pe < n_many; ++pe) {
      out[static_cast<std::size_t>(pe)].assign(static_cast<std::size_t>((pe + w.my_pe()) % 5),
                                               static_cast<std::uint16_t>(pe));
    }
    const auto in = w.all_to_all(out);
    for (pe_id pe = 0; pe < n_many; ++pe) {
      EXPECT_EQ(in[pe].size(), static_cast<std::size_t>((pe + w.my_pe()) % 5));
      EXPECT_EQ(std::ranges::count(in[pe], w.my_pe()), static_cast<std::ptrdiff_t>(in[pe].size()));
    }
  });
}

constexpr std::size_t budget_bytes = 64 << 10;

TEST(arrays_sim, may_be_larger_than_the_budget) {
  for_seeds(20, [](std::uint64_t seed) {
    settings chosen = hostile(seed, {});
    chosen.slot_bytes.value = 0;
    chosen.n_slots.value = 0;
    chosen.memory_bytes.value = budget_bytes;
    chosen.node_size.value = 1 + static_cast<std::int64_t>(seed % 4);
    chosen.n_hops.value = 1 + static_cast<std::int64_t>(seed % 3);
    run_job(chosen, [&](world& w) {
      std::vector<std::int64_t> mine(3 * budget_bytes / sizeof(std::int64_t) + seed);
      std::iota(mine.begin(), mine.end(), w.my_pe());
      std::vector<std::int64_t> prefix(mine.size());
      w.inclusive_scan(mine, std::span(prefix));
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const pe_id n = w.my_pe() + 1;
        ASSERT_EQ(prefix[i], n * static_cast<std::int64_t>(i) + n * w.my_pe() / 2);
      }
      const auto all = w.gather(std::span(mine), w.n_pes() - 1);
      EXPECT_EQ(all.values().size(), w.my_pe() == w.n_pes() - 1 ? mine.size() * all.size() : 0);
      EXPECT_LE(w.message_exchange().parts().slots.bytes_most(), budget_bytes);
    });
  });
}

// A long and a short one; the round that opens both says the same.
TEST(arrays_sim, name_their_call_where_a_PE_does_not_come) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}}) {
    const outcome end = outcome_of(simulated(2), [n](world& w) {
      promise<int> never;
      if (w.my_pe() == 1) static_cast<void>(never.get_future().get());
      std::vector<long> values(n);
      w.max(std::span(values));
    });
    const std::string call = "in max of " + std::to_string(n) + (n == 1 ? " value" : " values");
    EXPECT_EQ(end.status, internal::status_failure);
    EXPECT_TRUE(std::regex_search(end.error, std::regex("PE 0 waits: " + call + " \\(\\S*arrays_sim.test.cpp:\\d+\\)")))
        << end.error;
  }
}

}  // namespace
}  // namespace shoal::test
