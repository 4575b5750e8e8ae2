// Goal: a dead PE of the node is found, and no other PE is taken for dead.
#include "shoal/substrate/internal/network/peer_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "test/support/lock_holder.hpp"

namespace shoal::internal::network {
namespace {

using test::lock_holder;

constexpr std::uint64_t a_second_ns = 1'000'000'000;

// This process is rank 5, between 2 and 7, which are processes that only stay alive.
class peer_watch_of_node : public testing::Test {
protected:
  void SetUp() override {
    nodes_.members = {{0, 1}, {2, 5, 7}};
    nodes_.node_of = {0, 0, 1, 0, 0, 1, 0, 1};
    nodes_.my_node = 1;
    nodes_.my_local = 1;
    nodes_.memory = descriptor(::memfd_create("peer_watch", MFD_CLOEXEC));
    nodes_.has_life_locks = true;
    ASSERT_TRUE(hold_life_lock(memory(), 5));
    mates_.emplace_back(memory(), 2);
    mates_.emplace_back(memory(), 7);
  }

  int memory() const { return nodes_.memory.get(); }
  lock_holder& first() { return mates_[0]; }
  lock_holder& last() { return mates_[1]; }

  // Looks once round the node, and once more.
  pe_id look(peer_watch& watch) {
    for (int i = 0; i < 6; ++i) {
      now_ns_ += a_second_ns;
      if (const pe_id dead = watch.look(now_ns_); dead >= 0) return dead;
    }
    return -1;
  }

  node_map nodes_;
  local::job_page job_;
  std::vector<lock_holder> mates_;
  std::uint64_t now_ns_ = 0;
};

TEST_F(peer_watch_of_node, finds_the_one_that_died) {
  peer_watch watch(nodes_, job_, nullptr);
  EXPECT_EQ(look(watch), -1);
  last().kill();
  EXPECT_EQ(look(watch), 7);
  EXPECT_TRUE(watch.is_dead(7));
  EXPECT_FALSE(watch.is_dead(2));
  EXPECT_FALSE(watch.is_dead(5));
}

TEST_F(peer_watch_of_node, looks_again_only_after_some_time) {
  peer_watch watch(nodes_, job_, nullptr);
  first().kill();
  last().kill();
  EXPECT_EQ(watch.look(a_second_ns), 7);
  EXPECT_EQ(watch.look(a_second_ns + 1), -1);
  EXPECT_EQ(watch.look(2 * a_second_ns), 2);
}

TEST_F(peer_watch_of_node, lets_those_go_that_have_finished) {
  peer_watch watch(nodes_, job_, nullptr);
  job_.stage[0] = local::pe_stage::finished;
  first().kill();
  EXPECT_EQ(look(watch), -1);
  last().kill();
  EXPECT_EQ(look(watch), 7);
}

TEST_F(peer_watch_of_node, is_told_when_a_lost_lock_is_back) {
  peer_watch watch(nodes_, job_, nullptr);
  first().kill();
  EXPECT_EQ(look(watch), 2);
  const lock_holder again(memory(), 2);
  EXPECT_FALSE(watch.is_dead(2));
}

TEST_F(peer_watch_of_node, takes_its_own_lost_lock_back) {
  peer_watch watch(nodes_, job_, nullptr);
  descriptor(::open(("/proc/self/fd/" + std::to_string(memory())).c_str(), O_RDWR | O_CLOEXEC)).close();
  const auto is_seen_by_others = [this] {
    const pid_t other = ::fork();
    if (other == 0) ::_exit(is_life_lock_held(memory(), 5) ? 1 : 0);
    int status = 0;
    EXPECT_EQ(::waitpid(other, &status, 0), other);
    return WEXITSTATUS(status) == 1;
  };
  EXPECT_FALSE(is_seen_by_others());
  EXPECT_EQ(look(watch), -1);
  EXPECT_TRUE(is_seen_by_others());
}

TEST_F(peer_watch_of_node, takes_no_other_file_for_the_memory) {
  peer_watch watch(nodes_, job_, nullptr);
  const descriptor other(::memfd_create("other", MFD_CLOEXEC));
  ASSERT_EQ(::dup2(other.get(), memory()), memory());
  EXPECT_EQ(look(watch), -1);
}

TEST_F(peer_watch_of_node, watches_nobody_where_locks_are_not_shown) {
  first().kill();  // as if its lock were not visible
  peer_watch watch(nodes_, job_, nullptr);
  last().kill();
  EXPECT_EQ(look(watch), -1);
  nodes_.has_life_locks = false;
  peer_watch blind(nodes_, job_, nullptr);
  EXPECT_EQ(look(blind), -1);
}

}  // namespace
}  // namespace shoal::internal::network
