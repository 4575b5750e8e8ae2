#include "shoal/base/internal/cgroups.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace shoal::internal {
namespace {

namespace fs = std::filesystem;

constexpr double no_quota = std::numeric_limits<double>::infinity();

bool has_entry(const std::string& list, std::string_view entry) {
  return ("," + list + ",").find("," + std::string(entry) + ",") != std::string::npos;
}

double quota_of_folder_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");  // "max 100000" or "150000 100000"
  double quota = 0;
  double period = 0;
  return file >> quota >> period && period > 0 ? quota / period : no_quota;
}

double quota_of_folder_v1(const fs::path& folder) {
  double quota = 0;  // -1 if there is none
  double period = 0;
  std::ifstream(folder / "cpu.cfs_quota_us") >> quota;
  std::ifstream(folder / "cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : no_quota;
}

// Version 2 writes "max" if there is no limit, version 1 a huge number.
std::size_t limit_in(const fs::path& file) {
  std::size_t bytes = 0;
  return std::ifstream(file) >> bytes && bytes != 0 ? bytes : SIZE_MAX;
}

// A cgroup hierarchy that can carry a limit of a controller, and the place of this process in it.
struct hierarchy {
  bool is_v2 = false;
  std::string own_group;  // from /proc/self/cgroup, e.g. /user.slice/job
  fs::path mount_point{};  // e.g. /sys/fs/cgroup
  std::string mounted_root{};  // the group that the mount point shows; not / in some containers
};

// A line of /proc/self/cgroup is "4:cpu,cpuacct:/job", for version 2 "0::/job".
std::optional<hierarchy> parse_group(const std::string& line, std::string_view controller) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first + 1);
  if (first == line.npos || second == line.npos) return std::nullopt;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  if (!controllers.empty() && !has_entry(controllers, controller)) return std::nullopt;
  return hierarchy{.is_v2 = controllers.empty(), .own_group = line.substr(second + 1)};
}

// A line of mountinfo is "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:1 - cgroup2 cgroup2 rw".
bool mounts(const std::string& line, std::string_view controller, hierarchy& into) {
  const std::size_t dash = line.find(" - ");
  if (dash == line.npos) return false;
  std::string ignored, kind, options;
  std::istringstream(line.substr(dash + 3)) >> kind >> ignored >> options;
  const bool is_match = into.is_v2 ? kind == "cgroup2" : kind == "cgroup" && has_entry(options, controller);
  if (!is_match) return false;
  std::string mount_point;
  std::istringstream(line) >> ignored >> ignored >> ignored >> into.mounted_root >> mount_point;
  into.mount_point = mount_point;
  return true;
}

// Calls `visit` with each folder from the mount point down to the process's own group.
template <class Visit>
void for_each_group(const hierarchy& h, const fs::path& root, Visit&& visit) {
  fs::path folder = root / h.mount_point.relative_path();
  fs::path below = fs::path(h.own_group).lexically_relative(h.mounted_root);
  // A group outside the mounted part belongs to a container whose view begins at its own group.
  if (below.empty() || *below.begin() == "..") below = ".";
  visit(folder);
  for (const fs::path& step : below) visit(folder /= step);
}

// Calls `visit(folder, is_v2)` for each group that may limit this process.
template <class Visit>
void for_each_limit(std::string_view controller, const fs::path& root, Visit&& visit) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::optional<hierarchy> h = parse_group(line, controller);
    if (!h) continue;
    std::ifstream table(root / "proc/self/mountinfo");
    for (std::string mount; std::getline(table, mount);) {
      if (!mounts(mount, controller, *h)) continue;
      for_each_group(*h, root, [&](const fs::path& folder) { visit(folder, h->is_v2); });
      break;
    }
  }
}

}  // namespace

double cpu_quota(const fs::path& root) {
  double quota = no_quota;
  for_each_limit("cpu", root, [&](const fs::path& folder, bool is_v2) {
    quota = std::min(quota, is_v2 ? quota_of_folder_v2(folder) : quota_of_folder_v1(folder));
  });
  return quota;
}

std::size_t cgroup_memory_limit(const fs::path& root) {
  std::size_t bytes = SIZE_MAX;
  for_each_limit("memory", root, [&](const fs::path& folder, bool is_v2) {
    bytes = std::min(bytes, limit_in(folder / (is_v2 ? "memory.max" : "memory.limit_in_bytes")));
  });
  return bytes;
}

}  // namespace shoal::internal
