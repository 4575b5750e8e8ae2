#include "shoal/substrate/internal/network/placement.hpp"

#include <dlfcn.h>

#include <algorithm>

#include "shoal/base/internal/cores.hpp"
#include "shoal/substrate/internal/network/module.hpp"

namespace shoal::internal::network {
namespace {

using spread_pes_function = bool (*)(const int* allowed, int n_allowed, int n_pes, int* cpus);

// Empty without the module. A process asks it once and it keeps nothing, so it is closed again.
std::vector<int> spread_by_hwloc(std::span<const int> allowed, int n_pes, const std::string& module_folder) {
  const std::string file = find_module(library_kind::hwloc, module_folder).file;
  if (file.empty()) return {};
  void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {};
  std::vector<int> cpus(static_cast<std::size_t>(n_pes));
  const auto spread = reinterpret_cast<spread_pes_function>(::dlsym(module, "shoal_spread_pes"));
  const bool is_known =
      spread != nullptr && spread(allowed.data(), static_cast<int>(allowed.size()), n_pes, cpus.data());
  ::dlclose(module);
  return is_known ? cpus : std::vector<int>{};
}

}  // namespace

std::vector<int> place_pes(std::span<const int> allowed, int n_pes, const std::string& module_folder) {
  if (n_pes < 1 || allowed.size() < static_cast<std::size_t>(n_pes)) return {};
  std::vector<int> cpus = spread_by_hwloc(allowed, n_pes, module_folder);
  const auto is_allowed = [&](int cpu) { return std::ranges::find(allowed, cpu) != allowed.end(); };
  if (!cpus.empty() && std::ranges::all_of(cpus, is_allowed)) return cpus;
  cpus = cpus_for_pes(0);
  cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(n_pes)));
  return cpus;
}

}  // namespace shoal::internal::network
