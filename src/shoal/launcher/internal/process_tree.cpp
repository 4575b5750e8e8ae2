#include "shoal/launcher/internal/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shoal/base/internal/descriptor.hpp"

namespace shoal::internal::launcher {
namespace {

struct process {
  char state = '?';
  pid_t parent = 0;
};

std::optional<process> read_process(pid_t pid) {
  // Not a stream: if a process ends meanwhile, reading fails, and a stream may throw then.
  const descriptor file(::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char text[512];
  const ssize_t n = ::read(file.get(), text, sizeof text);
  if (n <= 0) return std::nullopt;
  // "4711 (name) S 4700 ...", where the name may contain anything, even parentheses and newlines.
  const std::string_view line(text, static_cast<std::size_t>(n));
  const std::size_t name_end = line.rfind(") ");
  if (name_end == line.npos || name_end + 4 > line.size()) return std::nullopt;
  process found{.state = line[name_end + 2]};
  std::from_chars(line.data() + name_end + 4, line.data() + line.size(), found.parent);
  return found;
}

std::optional<pid_t> parse_pid(std::string_view name) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return pid;
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir("/proc"), close);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::optional<pid_t> pid = parse_pid(entry->d_name);
    if (!pid) continue;
    const std::optional<process> found = read_process(*pid);
    if (found && found->state != 'Z' && found->state != 'X') children.emplace(found->parent, *pid);
  }
  return children;
}

}  // namespace

std::vector<pid_t> living_descendants() {
  const std::multimap<pid_t, pid_t> children = children_by_parent();
  std::vector<pid_t> found;
  pid_t parent = ::getpid();
  // Breadth first: the processes found so far are also the queue of parents to search.
  for (std::size_t next = 0;; parent = found[next++]) {
    const auto [first, last] = children.equal_range(parent);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
    if (next == found.size()) return found;
  }
}

}  // namespace shoal::internal::launcher
