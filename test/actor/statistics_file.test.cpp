// Goal: what goes wrong with the file of the statistics is told in one line, and ends no process.
#include "shoal/actor/internal/statistics_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

namespace shoal::internal {
namespace {

TEST(statistics_file, outlives_the_reader_of_a_pipe) {
  const auto write_to_nobody = [] {
    int ends[2];
    if (::pipe(ends) != 0) std::_Exit(1);
    const statistics_file file("/proc/self/fd/" + std::to_string(ends[1]));
    ::close(ends[0]);
    file.add("the statistics\n");
    sigset_t pending;
    ::sigpending(&pending);
    std::_Exit(::sigismember(&pending, SIGPIPE));
  };
  EXPECT_EXIT(write_to_nobody(), testing::ExitedWithCode(0),
              "^shoal: SHOAL_STATS_FILE=/proc/self/fd/[0-9]+ cannot be written .Broken pipe.; the statistics go to "
              "stderr\nthe statistics\n$");
}

TEST(statistics_file, leaves_alone_a_signal_that_the_program_holds) {
  const auto write_with_pending_signal = [] {
    sigset_t held;
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
    ::raise(SIGPIPE);
    statistics_file("/dev/null").add("the statistics\n");
    sigset_t pending;
    ::sigpending(&pending);
    std::_Exit(::sigismember(&pending, SIGPIPE) == 1 ? 0 : 1);
  };
  EXPECT_EXIT(write_with_pending_signal(), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace shoal::internal
