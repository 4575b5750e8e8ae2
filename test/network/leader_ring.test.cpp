// Goal: leaders of nodes detect the death of the next one from the end of a connection, and from nothing else; and they
// meet.
#include "shoal/substrate/internal/network/leader_ring.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/support/idle_wire.hpp"

namespace shoal::internal::network {
namespace {

// All ranks in one process, a thread each.
struct gathering {
  explicit gathering(int n_ranks) : here(n_ranks) {}
  std::barrier<> here;
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
};

class gathering_wire final : public idle_wire {
public:
  gathering_wire(gathering& all, int rank, int n_ranks) : idle_wire(rank, n_ranks), all_(all) {}

  void all_gather(const void* mine, void* all, std::size_t bytes) override {
    std::memcpy(all_.bytes.data() + static_cast<std::size_t>(rank_) * bytes, mine, bytes);
    all_.here.arrive_and_wait();
    std::memcpy(all, all_.bytes.data(), static_cast<std::size_t>(n_ranks_) * bytes);
    all_.here.arrive_and_wait();
  }

private:
  gathering& all_;
};

// What each rank knows of the ring, by rank. Members of node n are `members[n]`.
std::vector<std::unique_ptr<leader_ring>> rings_of(const std::vector<std::vector<int>>& members, bool is_watch = true) {
  int n_ranks = 0;
  for (const std::vector<int>& node : members) n_ranks += static_cast<int>(node.size());
  gathering all(n_ranks);
  std::vector<std::unique_ptr<leader_ring>> made(static_cast<std::size_t>(n_ranks));
  std::vector<std::jthread> ranks;
  for (std::size_t node = 0; node < members.size(); ++node) {
    for (std::size_t i = 0; i < members[node].size(); ++i) {
      ranks.emplace_back([&, node, i] {
        const int rank = members[node][i];
        gathering_wire between(all, rank, n_ranks);
        node_map nodes;
        nodes.members = members;
        nodes.my_node = static_cast<std::uint32_t>(node);
        nodes.my_local = static_cast<int>(i);
        made[static_cast<std::size_t>(rank)] = std::make_unique<leader_ring>(between, nodes, is_watch);
      });
    }
  }
  ranks.clear();
  return made;
}

// What a leader says once there is something to say, or after a short time.
int look_for_a_moment(leader_ring& of) {
  for (int i = 0; i < 500; ++i) {
    if (const int dead = of.look(); dead >= 0) return dead;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return -1;
}

// Whether the loopback is up, for one.
bool can_connect() {
  const descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const descriptor caller(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const here = reinterpret_cast<sockaddr*>(&address);
  return ::bind(listener.get(), here, length) == 0 && ::listen(listener.get(), 1) == 0 &&
         ::getsockname(listener.get(), here, &length) == 0 && ::connect(caller.get(), here, length) == 0;
}

#define RINGS_OF(...)                                                    \
  rings_of(__VA_ARGS__);                                                 \
  if (!can_connect()) GTEST_SKIP() << "no connections can be made here"; \
  ASSERT_TRUE(of[0]->is_whole())

TEST(leader_ring, names_the_leader_of_the_next_node_that_died) {
  auto of = RINGS_OF({{0, 3}, {1}, {2, 4, 5}});
  for (const auto& each : of) {
    EXPECT_TRUE(each->is_whole());
    EXPECT_EQ(each->look(), -1);
  }
  of[1].reset();
  EXPECT_EQ(look_for_a_moment(*of[0]), 1);
  EXPECT_EQ(of[0]->look(), -1);  // it has reported
  EXPECT_EQ(look_for_a_moment(*of[2]), -1);  // it watches 0
  of[0].reset();
  EXPECT_EQ(look_for_a_moment(*of[2]), 0);
}

TEST(leader_ring, goes_round_two_nodes) {
  auto of = RINGS_OF({{0}, {1}});
  of[0].reset();
  EXPECT_EQ(look_for_a_moment(*of[1]), 0);
}

TEST(leader_ring, lets_those_go_that_bid_farewell) {
  auto of = RINGS_OF({{0}, {1}, {2}});
  of[1]->bid_farewell();
  EXPECT_EQ(look_for_a_moment(*of[0]), -1);
  of[1].reset();
  EXPECT_EQ(look_for_a_moment(*of[0]), -1);
}

TEST(leader_ring, is_of_leaders_of_several_nodes_only) {
  auto alone = rings_of({{0, 1}});
  alone[0].reset();
  EXPECT_EQ(look_for_a_moment(*alone[1]), -1);
  auto of = RINGS_OF({{0, 1}, {2}});
  of[1].reset();  // no leader: its node has to notice
  EXPECT_EQ(look_for_a_moment(*of[0]), -1);
  EXPECT_EQ(look_for_a_moment(*of[2]), -1);
}

TEST(leader_ring, keeps_leaders_until_all_have_come) {
  for (const int n_leaders : {2, 3, 7}) {
    std::vector<std::vector<int>> members;
    for (int leader = 0; leader < n_leaders; ++leader) members.push_back({leader});
    auto of = RINGS_OF(members);
    for (int late = 0; late < n_leaders; ++late) {
      std::atomic<int> n_back = 0;
      std::vector<std::jthread> leaders;
      for (int leader = 0; leader < n_leaders; ++leader) {
        if (leader == late) continue;
        leaders.emplace_back([&, leader] {
          of[static_cast<std::size_t>(leader)]->meet();
          ++n_back;
        });
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_EQ(n_back, 0);
      of[static_cast<std::size_t>(late)]->meet();
      leaders.clear();
      EXPECT_EQ(n_back, n_leaders - 1);
    }
  }
}

TEST(leader_ring, watches_nobody_unless_told) {
  auto of = RINGS_OF({{0}, {1}}, false);
  of[1].reset();
  EXPECT_EQ(look_for_a_moment(*of[0]), -1);
}

TEST(leader_ring, is_not_left_waiting_by_one_that_died) {
  auto of = RINGS_OF({{0}, {1}, {2}});
  of[1].reset();
  const auto begin = std::chrono::steady_clock::now();
  of[2]->meet();
  of[0]->meet();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));  // waits ten seconds for a late one
}

TEST(leader_ring, meets_through_signals) {
  auto of = RINGS_OF({{0}, {1}});
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  std::atomic<bool> is_back = false;
  std::jthread waiting([&] {
    of[0]->meet();
    is_back = true;
  });
  for (int i = 0; i < 50; ++i) {
    ::pthread_kill(waiting.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(is_back);
  of[1]->meet();
  waiting.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace shoal::internal::network
