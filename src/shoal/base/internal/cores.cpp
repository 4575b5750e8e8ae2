#include "shoal/base/internal/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>

namespace shoal::internal {
namespace {

namespace fs = std::filesystem;

constexpr double no_quota = std::numeric_limits<double>::infinity();

bool has_entry(const std::string& list, const std::string& entry) {
  return ("," + list + ",").find("," + entry + ",") != std::string::npos;
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

// A cgroup hierarchy that can carry a CPU quota, and the place of this process in it.
struct hierarchy {
  bool is_v2 = false;
  std::string own_group;  // from /proc/self/cgroup, e.g. /user.slice/job
  fs::path mount_point{};  // e.g. /sys/fs/cgroup
  std::string mounted_root{};  // the group that the mount point shows; not / in some containers
};

// A line of /proc/self/cgroup is "4:cpu,cpuacct:/job", for version 2 "0::/job".
std::optional<hierarchy> parse_group(const std::string& line) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first + 1);
  if (first == line.npos || second == line.npos) return std::nullopt;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  if (!controllers.empty() && !has_entry(controllers, "cpu")) return std::nullopt;
  return hierarchy{.is_v2 = controllers.empty(), .own_group = line.substr(second + 1)};
}

// A line of mountinfo is "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:1 - cgroup2 cgroup2 rw".
bool mounts(const std::string& line, hierarchy& into) {
  const std::size_t dash = line.find(" - ");
  if (dash == line.npos) return false;
  std::string ignored, kind, options;
  std::istringstream(line.substr(dash + 3)) >> kind >> ignored >> options;
  const bool is_match = into.is_v2 ? kind == "cgroup2" : kind == "cgroup" && has_entry(options, "cpu");
  if (!is_match) return false;
  std::string mount_point;
  std::istringstream(line) >> ignored >> ignored >> ignored >> into.mounted_root >> mount_point;
  into.mount_point = mount_point;
  return true;
}

// The smallest quota from the process's own group up to the mount point.
double quota_of(const hierarchy& h, const fs::path& root) {
  const fs::path top = root / h.mount_point.relative_path();
  fs::path below = fs::path(h.own_group).lexically_relative(h.mounted_root);
  // A group outside the mounted part belongs to a container whose view begins at its own group.
  if (below.empty() || *below.begin() == "..") below = ".";
  fs::path folder = top;
  const auto quota_here = [&] { return h.is_v2 ? quota_of_folder_v2(folder) : quota_of_folder_v1(folder); };
  double quota = quota_here();
  for (const fs::path& step : below) {
    folder /= step;
    quota = std::min(quota, quota_here());
  }
  return quota;
}

// Number of CPUs of the same physical core that come before this one; zero if unknown.
int place_among_siblings(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/topology/thread_siblings_list");  // "0,64" or "0-1"
  int place = 0;
  for (int sibling = 0; file >> sibling && sibling < cpu; ++place) {
    if (file.peek() == '-') place += cpu - sibling - 1;
    file.ignore();
  }
  return place;
}

}  // namespace

std::vector<int> affinity_cpus() {
  // The kernel refuses a set smaller than its own, and only it knows that size.
  for (int n_cpus = CPU_SETSIZE; n_cpus <= (1 << 20); n_cpus *= 2) {
    cpu_set_t* const set = CPU_ALLOC(n_cpus);
    const std::size_t bytes = CPU_ALLOC_SIZE(n_cpus);
    std::vector<int> cpus;
    const bool is_known = ::sched_getaffinity(0, bytes, set) == 0;
    const bool is_too_small = !is_known && errno == EINVAL;
    for (int cpu = 0; is_known && cpu < n_cpus; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) cpus.push_back(cpu);
    }
    CPU_FREE(set);
    if (!is_too_small) return cpus;
  }
  return {};
}

double cpu_quota(const fs::path& root) {
  double quota = no_quota;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::optional<hierarchy> h = parse_group(line);
    if (!h) continue;
    std::ifstream table(root / "proc/self/mountinfo");
    for (std::string mount; std::getline(table, mount);) {
      if (mounts(mount, *h)) {
        quota = std::min(quota, quota_of(*h, root));
        break;
      }
    }
  }
  return quota;
}

int allowed_cores() {
  const auto n_cpus = static_cast<double>(affinity_cpus().size());
  return std::max(1, static_cast<int>(std::min(n_cpus, cpu_quota())));
}

std::vector<int> cpus_for_pes(int first) {
  std::vector<std::tuple<int, bool, int>> order;
  for (const int cpu : affinity_cpus()) order.emplace_back(place_among_siblings(cpu), cpu < first, cpu);
  std::sort(order.begin(), order.end());
  std::vector<int> cpus;
  for (const auto& [place, is_before, cpu] : order) cpus.push_back(cpu);
  return cpus;
}

void bind_to_cpu(int cpu) {
  const auto index = static_cast<std::size_t>(cpu);
  cpu_set_t* const set = CPU_ALLOC(index + 1);
  const std::size_t bytes = CPU_ALLOC_SIZE(index + 1);
  CPU_ZERO_S(bytes, set);
  CPU_SET_S(index, bytes, set);
  static_cast<void>(::sched_setaffinity(0, bytes, set));
  CPU_FREE(set);
}

}  // namespace shoal::internal
