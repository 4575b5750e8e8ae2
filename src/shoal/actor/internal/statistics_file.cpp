#include "shoal/actor/internal/statistics_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
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

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

// Held open from the beginning: a program may change its folder, and what fails is told before hours of work.
statistics_file::statistics_file(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const int emptied = is_first_use(path) ? O_TRUNC : 0;
  file_ = descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | emptied, 0666));
  if (!file_.is_open()) complain();
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
