/// A process that holds a life lock, until it is killed.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <utility>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/base/internal/life_lock.hpp"

namespace shoal::test {

class lock_holder {
public:
  /// Starts it; the lock is taken when this returns. Then it does `rest`, and leaves.
  lock_holder(int memory, int at, const std::function<void()>& rest = [] { ::pause(); }) {
    auto [read, write] = internal::pipe_ends::make();
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const char has_lock = internal::hold_life_lock(memory, at) ? 1 : 0;
      if (::write(write.get(), &has_lock, 1) == 1) rest();
      ::_exit(0);
    }
    write.close();
    char has_lock = 0;
    EXPECT_EQ(::read(read.get(), &has_lock, 1), 1);
    EXPECT_EQ(has_lock, 1);
  }
  lock_holder(lock_holder&& other) noexcept : process_(std::exchange(other.process_, -1)) {}
  lock_holder& operator=(lock_holder&&) = delete;
  ~lock_holder() { kill(); }

  pid_t process() const noexcept { return process_; }

  void kill() noexcept {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(std::exchange(process_, -1), nullptr, 0);
  }

private:
  pid_t process_ = -1;
};

}  // namespace shoal::test
