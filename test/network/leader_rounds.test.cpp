// Leaders of nodes exchange blocks of any length over a slow wire.
#include "shoal/substrate/internal/network/leader_rounds.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "test/support/idle_wire.hpp"

namespace shoal::internal::network {
namespace {

constexpr std::size_t block_bytes_max = 100;

// All ranks in one process. A message stays here until the receiver has asked for it often enough.
struct shared_network {
  struct message {
    int step = 0;
    int parity = 0;
    std::vector<std::byte> bytes;
  };
  std::map<std::pair<int, int>, std::deque<message>> under_way;  // by sender and receiver
  random_engine random{1};
};

class slow_wire final : public idle_wire {
public:
  slow_wire(shared_network& network, int rank, int n_ranks) : idle_wire(rank, n_ranks), network_(network) {}

  void start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                      int from) override {
    EXPECT_FALSE(is_busy_);
    const int n_steps = leader_rounds::n_steps(static_cast<std::size_t>(n_ranks_));
    const std::size_t most = leader_rounds::exchange_bytes(static_cast<std::size_t>(n_ranks_), block_bytes_max);
    EXPECT_LE(data.size(), most >> (n_steps - 1 - step));
    network_.under_way[{rank_, to}].push_back({step, parity, {data.begin(), data.end()}});
    is_busy_ = true;
    step_ = step;
    parity_ = parity;
    into_ = into;
    from_ = from;
  }

  bool is_exchange_done(std::size_t& n_received) override {
    auto& messages = network_.under_way[{from_, rank_}];
    if (messages.empty() || network_.random.below(3) != 0) return false;
    EXPECT_EQ(messages.front().step, step_);
    EXPECT_EQ(messages.front().parity, parity_);
    n_received = messages.front().bytes.size();
    std::memcpy(into_, messages.front().bytes.data(), n_received);
    messages.pop_front();
    is_busy_ = false;
    return true;
  }

private:
  shared_network& network_;
  bool is_busy_ = false;
  int step_ = 0;
  int parity_ = 0;
  std::byte* into_ = nullptr;
  int from_ = 0;
};

std::vector<std::byte> block_of(std::size_t node, int round) {
  random_engine random(node * 1000 + static_cast<std::uint64_t>(round));
  std::vector<std::byte> bytes(random.below(block_bytes_max + 1));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.below(256));
  return bytes;
}

class LeaderRounds : public testing::TestWithParam<int> {};

TEST_P(LeaderRounds, GiveEveryLeaderTheBlocksOfAll) {
  const int n = GetParam();
  shared_network network;
  std::vector<int> leaders;
  std::vector<std::unique_ptr<slow_wire>> wires;
  std::vector<std::unique_ptr<guarded_wire>> guards;
  std::vector<std::unique_ptr<leader_rounds>> rounds;
  for (int node = 0; node < n; ++node) leaders.push_back(node);
  for (int node = 0; node < n; ++node) {
    wires.push_back(std::make_unique<slow_wire>(network, node, n));
    guards.push_back(std::make_unique<guarded_wire>(*wires.back()));
    rounds.push_back(std::make_unique<leader_rounds>(*guards.back(), leaders, node, block_bytes_max));
  }
  for (int round = 1; round <= 5; ++round) {
    for (int node = 0; node < n; ++node) rounds[node]->start(block_of(node, round));
    std::vector<bool> is_complete(n);
    for (int n_complete = 0; n_complete < n;) {
      const auto node = network.random.below(n);
      if (is_complete[node] || !rounds[node]->is_complete()) continue;
      is_complete[node] = true;
      ++n_complete;
    }
    for (int node = 0; node < n; ++node) {
      for (int other = 0; other < n; ++other) {
        const auto got = rounds[node]->block(other);
        ASSERT_EQ(std::vector(got.begin(), got.end()), block_of(other, round))
            << "block of " << other << " at " << node;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Nodes, LeaderRounds, testing::Range(1, 18));

}  // namespace
}  // namespace shoal::internal::network
