#include "shoal/base/internal/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <tuple>

#include "shoal/base/internal/cgroups.hpp"

namespace shoal::internal {
namespace {

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

std::span<const int> cpus_of_pe(std::span<const int> cpus, std::size_t pe, std::size_t n_workers) {
  return cpus.subspan(pe * n_workers, n_workers);
}

void bind_to_cpus(std::span<const int> cpus) {
  const auto n = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  cpu_set_t* const set = CPU_ALLOC(n);
  const std::size_t bytes = CPU_ALLOC_SIZE(n);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  static_cast<void>(::sched_setaffinity(0, bytes, set));
  CPU_FREE(set);
}

}  // namespace shoal::internal
