// A process holds its lock until it ends, however it ends; its children do not hold it.
#include "shoal/substrate/network/life_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "shoal/substrate/local/descriptor.hpp"

namespace shoal::network {
namespace {

constexpr int its_byte = 3;

class life_lock : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(memory_.is_open()); }

  bool is_held() const { return is_life_lock_held(memory_.get(), its_byte); }

  // Starts a process that takes its lock and then does `rest`; returns when the lock is taken.
  pid_t start(const std::function<void()>& rest = [] { ::pause(); }) const {
    auto [read, write] = local::pipe_ends::make();
    const pid_t process = ::fork();
    if (process == 0) {
      const char has_lock = hold_life_lock(memory_.get(), its_byte) ? 1 : 0;
      if (::write(write.get(), &has_lock, 1) == 1) rest();
      ::_exit(0);
    }
    char has_lock = 0;
    EXPECT_EQ(::read(read.get(), &has_lock, 1), 1);
    EXPECT_EQ(has_lock, 1);
    return process;
  }

  static void kill(pid_t process) {
    ::kill(process, SIGKILL);
    EXPECT_EQ(::waitpid(process, nullptr, 0), process);
  }

  local::descriptor memory_{::memfd_create("life_lock", MFD_CLOEXEC)};
};

TEST_F(life_lock, is_held_until_its_process_is_killed) {
  EXPECT_FALSE(is_held());
  const pid_t process = start();
  EXPECT_TRUE(is_held());
  EXPECT_FALSE(is_life_lock_held(memory_.get(), its_byte - 1));
  EXPECT_FALSE(is_life_lock_held(memory_.get(), its_byte + 1));
  kill(process);
  EXPECT_FALSE(is_held());
}

TEST_F(life_lock, ends_with_a_process_that_nobody_waits_for) {
  const pid_t process = start([] {});
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_held());
  kill(process);
}

TEST_F(life_lock, is_not_held_by_children) {
  auto [read, write] = local::pipe_ends::make();
  const pid_t process = start([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
    EXPECT_EQ(::write(write.get(), &child, sizeof child), static_cast<ssize_t>(sizeof child));
    ::pause();
  });
  pid_t child = 0;
  ASSERT_EQ(::read(read.get(), &child, sizeof child), static_cast<ssize_t>(sizeof child));
  kill(process);
  EXPECT_FALSE(is_held());
  ::kill(child, SIGKILL);
}

TEST_F(life_lock, cannot_be_taken_twice) {
  const pid_t process = start();
  EXPECT_FALSE(hold_life_lock(memory_.get(), its_byte));
  kill(process);
  EXPECT_TRUE(hold_life_lock(memory_.get(), its_byte));
}

}  // namespace
}  // namespace shoal::network
