// Module hwloc: places PEs on a machine for launchers that bind none. A module, because the core library needs only C++
// and POSIX; without it, PEs take cores in the kernel's order (network/placement.hpp).
#include <hwloc.h>

#include <climits>
#include <vector>

namespace {

// Owns an hwloc topology.
struct topology {
  hwloc_topology_t known = nullptr;
  topology() {
    if (hwloc_topology_init(&known) != 0) known = nullptr;
  }
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;
  ~topology() {
    if (known != nullptr) hwloc_topology_destroy(known);
  }
};

struct cpu_set {
  hwloc_bitmap_t bits = hwloc_bitmap_alloc();
  cpu_set() = default;
  cpu_set(const cpu_set&) = delete;
  cpu_set& operator=(const cpu_set&) = delete;
  ~cpu_set() { hwloc_bitmap_free(bits); }
};

// Keeps one hardware thread of each core, so that parts of the machine get PEs in proportion to their cores.
bool restrict_to_one_of_each_core(hwloc_topology_t known) {
  cpu_set firsts;
  hwloc_obj_t core = nullptr;
  while ((core = hwloc_get_next_obj_by_type(known, HWLOC_OBJ_CORE, core)) != nullptr) {
    hwloc_bitmap_set(firsts.bits, static_cast<unsigned>(hwloc_bitmap_first(core->cpuset)));
  }
  return hwloc_topology_restrict(known, firsts.bits, 0) == 0;
}

}  // namespace

/// Fills `cpus` with a CPU for each of `n_pes` PEs, chosen from the `n_allowed` CPUs at `allowed`. Spreads the PEs
/// evenly over packages, memories and caches, one per core while there are cores, with consecutive PEs close together.
/// Returns false and fills in nothing if there are fewer CPUs than PEs or hwloc fails.
extern "C" __attribute__((visibility("default"))) bool shoal_spread_pes(const int* allowed, int n_allowed, int n_pes,
                                                                        int* cpus) {
  if (n_pes < 1 || n_pes > n_allowed) return false;
  topology machine;
  if (machine.known == nullptr || hwloc_topology_load(machine.known) != 0) return false;
  cpu_set ours;
  for (int i = 0; i < n_allowed; ++i) hwloc_bitmap_set(ours.bits, static_cast<unsigned>(allowed[i]));
  if (hwloc_topology_restrict(machine.known, ours.bits, 0) != 0) return false;
  if (hwloc_get_nbobjs_by_type(machine.known, HWLOC_OBJ_PU) < n_pes) return false;
  const bool has_cores = hwloc_get_nbobjs_by_type(machine.known, HWLOC_OBJ_CORE) >= n_pes;
  if (has_cores && !restrict_to_one_of_each_core(machine.known)) return false;

  std::vector<hwloc_bitmap_t> parts(static_cast<std::size_t>(n_pes));
  hwloc_obj_t root = hwloc_get_root_obj(machine.known);
  if (hwloc_distrib(machine.known, &root, 1, parts.data(), static_cast<unsigned>(n_pes), INT_MAX, 0) != 0) return false;
  for (int pe = 0; pe < n_pes; ++pe) {
    cpus[pe] = hwloc_bitmap_first(parts[static_cast<std::size_t>(pe)]);
    hwloc_bitmap_free(parts[static_cast<std::size_t>(pe)]);
  }
  return true;
}
