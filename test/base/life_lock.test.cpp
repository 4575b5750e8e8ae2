// A process holds its lock until it ends, however it ends; its children do not hold it.
#include "shoal/base/internal/life_lock.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/support/lock_holder.hpp"

namespace shoal::internal {
namespace {

using test::lock_holder;

constexpr int its_byte = 3;

class life_lock : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(memory_.is_open()); }

  int memory() const { return memory_.get(); }
  bool is_held() const { return is_life_lock_held(memory(), its_byte); }

private:
  descriptor memory_{::memfd_create("life_lock", MFD_CLOEXEC)};
};

TEST_F(life_lock, is_held_until_its_process_is_killed) {
  EXPECT_FALSE(is_held());
  lock_holder holder(memory(), its_byte);
  EXPECT_TRUE(is_held());
  EXPECT_FALSE(is_life_lock_held(memory(), its_byte - 1));
  EXPECT_FALSE(is_life_lock_held(memory(), its_byte + 1));
  holder.kill();
  EXPECT_FALSE(is_held());
}

TEST_F(life_lock, ends_with_a_process_that_nobody_waits_for) {
  const lock_holder holder(memory(), its_byte, [] {});
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(holder.process()), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_held());
}

TEST_F(life_lock, is_not_held_by_children) {
  auto [read, write] = pipe_ends::make();
  auto [stays, end] = pipe_ends::make();
  lock_holder holder(memory(), its_byte, [&] {
    char byte = 0;
    if (::fork() == 0) {  // lives until this test has ended
      end.close();
      static_cast<void>(::read(stays.get(), &byte, 1));
      ::_exit(0);
    }
    if (::write(write.get(), &byte, 1) == 1) ::pause();
  });
  write.close();
  char byte = 0;
  ASSERT_EQ(::read(read.get(), &byte, 1), 1);
  holder.kill();
  EXPECT_FALSE(is_held());
}

TEST_F(life_lock, cannot_be_taken_twice) {
  lock_holder holder(memory(), its_byte);
  EXPECT_FALSE(hold_life_lock(memory(), its_byte));
  holder.kill();
  EXPECT_TRUE(hold_life_lock(memory(), its_byte));
}

}  // namespace
}  // namespace shoal::internal
