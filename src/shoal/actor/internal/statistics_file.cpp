#include "shoal/actor/internal/statistics_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string_view>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::internal {
namespace {

// A process may have several worlds; the statistics of all stay in the file.
bool is_first_use(const std::string& path) {
  static std::mutex one_at_a_time;
  static std::set<std::string>& used = *new std::set<std::string>;  // worlds may end after static objects
  const std::lock_guard lock(one_at_a_time);
  return used.insert(path).second;
}

// During its lifetime, a pipe without a reader and a limit of file sizes make this thread's writes fail, and raise no
// signal that ends the process.
class writes_without_signals {
public:
  writes_without_signals() noexcept {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGPIPE);
    ::sigaddset(&signals_, SIGXFSZ);
    ::sigpending(&earlier_);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~writes_without_signals() {
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      if (::sigismember(&earlier_, signal) != 0) continue;  // the program's own
      sigset_t one;
      ::sigemptyset(&one);
      ::sigaddset(&one, signal);
      const timespec at_once{};
      while (::sigtimedwait(&one, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  writes_without_signals(const writes_without_signals&) = delete;
  writes_without_signals& operator=(const writes_without_signals&) = delete;

private:
  sigset_t signals_{};
  sigset_t earlier_{};
  sigset_t before_{};
};

// The reason of a failure is in errno.
bool write_all(int fd, std::string_view text) {
  int error = 0;
  const auto written = [&] {
    const writes_without_signals here;
    const ssize_t n = ::write(fd, text.data(), text.size());
    error = errno;
    return n;
  };
  while (!text.empty()) {
    const ssize_t n = written();
    if (n < 0 && error == EINTR) continue;
    if (n <= 0) {
      errno = error;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

// Held open from the beginning: a program may change its folder, and what fails is told before hours of work.
statistics_file::statistics_file(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const int emptied = is_first_use(path) ? O_TRUNC : 0;
  // Opening a pipe without a reader fails with O_NONBLOCK, and would wait without.
  constexpr int to_add = O_WRONLY | O_APPEND;
  file_ = descriptor(::open(path.c_str(), to_add | O_CREAT | O_CLOEXEC | O_NONBLOCK | emptied, 0666));
  if (!file_.is_open()) {
    complain();
    return;
  }
  ::fcntl(file_.get(), F_SETFL, to_add);
}

bool statistics_file::is_new() const noexcept {
  struct stat now{};
  return !file_.is_open() || ::fstat(file_.get(), &now) != 0 || now.st_size == 0;
}

void statistics_file::add(const std::string& text) const {
  if (file_.is_open()) {
    if (write_all(file_.get(), text)) return;
    complain();
  }
  std::fputs(text.c_str(), stderr);
}

void statistics_file::complain() const {
  const std::string why = std::strerror(errno);
  std::fputs(("shoal: SHOAL_STATS_FILE=" + printable(path_) + " cannot be written (" + why +
              "); the statistics go to stderr\n")
                 .c_str(),
             stderr);
}

}  // namespace shoal::internal
