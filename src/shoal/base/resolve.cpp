// From a machine and what the user asked for to the sizes of a run.
#include <algorithm>
#include <string>

#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// 32 KiB slots are where throughput between two cores stops rising (docs/performance.md); a pool beyond
// 16 MiB only takes cache from the program.
constexpr std::size_t slot_bytes_best = 32 * kib;
constexpr std::size_t slot_bytes_least = 512;
constexpr std::size_t memory_bytes_most = 256 * mib;  // unless the user wants more
constexpr std::size_t pool_bytes_best = 16 * mib;
// Each slot has a header of a cache line.
constexpr std::size_t header_bytes = 64;
constexpr std::size_t n_slots_least = 8;

// Links of a PE in a route (conveyor/route.hpp): all PEs; the PEs of the node and one on each node; and with
// groups of as many nodes as a node has PEs, the node, one on a node of each group, the node again.
std::size_t n_links(std::size_t n_pes, std::size_t node_size, std::int64_t n_hops) {
  switch (n_hops) {
    case 1: return n_pes;
    case 2: return node_size + (n_pes + node_size - 1) / node_size;
    default: return 2 * node_size + (n_pes + node_size * node_size - 1) / (node_size * node_size);
  }
}

std::size_t slot_bytes_for(std::size_t pool, std::size_t n_links) {
  // One more than the least, so that their headers fit, too.
  const std::size_t n_slots = std::max(slots_per_link * n_links, n_slots_least + 1);
  return std::clamp(pool / n_slots, slot_bytes_least, slot_bytes_best) / 64 * 64;
}

// The fewest hops with buffers of a fair size; where there are none, the fewest links.
std::int64_t best_n_hops(std::size_t pool, std::size_t n_pes, std::size_t node_size) {
  std::int64_t best = 1;
  for (std::int64_t n_hops = 1; n_hops <= 3; ++n_hops) {
    const std::size_t n = n_links(n_pes, node_size, n_hops);
    if (slot_bytes_for(pool, n) >= slot_bytes_fair) return n_hops;
    if (n < n_links(n_pes, node_size, best)) best = n_hops;
  }
  return best;
}

constexpr std::size_t n_spill_blocks_least = 8;

template <class T>
void decide(setting<T>& s, T value, std::string origin) {
  if (s.value != T{} || s.origin != setting<T>{}.origin) return;
  s.value = value;
  s.origin = std::move(origin);
}

std::size_t n_pes_here(const settings& s) {
  return static_cast<std::size_t>(s.n_pes_here.value > 0 ? s.n_pes_here.value : s.n_pes.value);
}

bool is_network(const settings& s) { return s.substrate.value == "shmem" || s.substrate.value.starts_with("mpi"); }

// Between nodes, buffers arrive in memory of their own: half of the budget.
bool has_landing(const settings& s) { return is_network(s) && s.node_size.value < s.n_pes.value; }
std::size_t sending_bytes(const settings& s) { return s.memory_bytes.value / (has_landing(s) ? 2 : 1); }

// What stays for messages that handlers send beyond their credits, however small the budget is: as much as for slots,
// because a handler may send to every link, and each takes a block of a slot's size.
std::size_t least_spill_bytes(const settings& s) { return sending_bytes(s) / 2; }

void check(const settings& s, const machine& here) {
  const std::string& name = s.substrate.value;
  if (name == "local" && s.job_fd.value < 0 && s.n_pes.value > 1) {
    throw setup_error(s.n_pes.origin + "=" + std::to_string(s.n_pes.value) +
                      " but nobody started the other PEs; run `shoalrun -n " + std::to_string(s.n_pes.value) +
                      " program`, or set SHOAL_SUBSTRATE to threads or sim");
  }
  if ((name == "threads" || name == "sim") && s.job_fd.value >= 0 && s.n_pes.value > 1) {
    const std::string n_pes = std::to_string(s.n_pes.value);
    throw setup_error(s.substrate.origin + "=" + name + " has all its PEs in one process, but shoalrun started " +
                      n_pes + "; run the program without shoalrun, with SHOAL_PES=" + n_pes);
  }
  if ((name == "local" || name == "threads") && s.n_pes.value > 256) {
    throw setup_error(s.n_pes.origin + "=" + std::to_string(s.n_pes.value) + ": substrate " + name +
                      " takes at most 256 PEs; set SHOAL_SUBSTRATE=sim for more");
  }
  if (s.debug_pe.value >= s.n_pes.value) {
    throw setup_error(s.debug_pe.origin + "=" + std::to_string(s.debug_pe.value) + ": there is no such PE; take 0" +
                      (s.n_pes.value > 1 ? " to " + std::to_string(s.n_pes.value - 1) : ""));
  }
  if (s.heap_bytes.value < 4 * kib) {
    throw setup_error(s.heap_bytes.origin + "=" + std::to_string(s.heap_bytes.value) +
                      ": the symmetric heap has at least 4k; 64M is usual");
  }
  const std::size_t pools = s.n_slots.value * s.slot_bytes.value * n_pes_here(s);
  if (name != "sim" && pools > here.memory_bytes) {
    throw setup_error(s.n_slots.origin + "=" + std::to_string(s.n_slots.value) + " of " +
                      std::to_string(s.slot_bytes.value) + " bytes for each of " + std::to_string(n_pes_here(s)) +
                      " PEs is more than the " + std::to_string(here.memory_bytes / mib) +
                      " MiB of this machine; choose fewer or smaller slots");
  }
}

// The smallest budget that is kept: the least slots in one half of it, the spill of what they send in the other.
// Slots that the user chose larger than the budget count for more than it does.
void check_memory_bytes(const settings& s) {
  if (s.memory_bytes.origin == setting<int>{}.origin || s.slot_bytes.value != 0 || s.n_slots.value != 0) return;
  const std::size_t least = 2 * n_slots_least * (slot_bytes_least + header_bytes) * (has_landing(s) ? 2 : 1);
  if (s.memory_bytes.value >= least) return;
  throw setup_error(s.memory_bytes.origin + "=" + std::to_string(s.memory_bytes.value) + ": the buffers of a PE take " +
                    std::to_string(least / kib) + "k at least; 64M is usual");
}

void check_slot_bytes(const settings& s) {
  if (s.slot_bytes.value >= 64 && s.slot_bytes.value <= 64 * mib) return;
  throw setup_error(s.slot_bytes.origin + "=" + std::to_string(s.slot_bytes.value) +
                    ": a slot holds from 64 bytes to 64M; 32k is usual");
}

}  // namespace

std::size_t spill_bytes_max(const settings& s) {
  const std::size_t slots = s.n_slots.value * (s.slot_bytes.value + header_bytes);
  // Slots that were chosen large for the budget go beyond it, and then a few blocks of their size do.
  const std::size_t blocks = n_spill_blocks_least * (s.slot_bytes.value + header_bytes);
  return std::max({sending_bytes(s) - std::min(sending_bytes(s), slots), least_spill_bytes(s), blocks});
}

void choose_substrate(settings& s) {
  if (!s.substrate.value.empty()) return;
  const launch_facts& by = s.launched;
  const bool is_mpi = s.job_fd.value < 0 && !by.library.empty() && !by.is_only_task();
  s.substrate.value = is_mpi ? "mpi" : "local";
  if (!by.name.empty()) s.substrate.origin = by.name;
}

void resolve(settings& s, const machine& here) {
  choose_substrate(s);
  const auto n_pes = static_cast<std::size_t>(s.n_pes.value);
  const std::size_t n_here = n_pes_here(s);
  decide(s.n_cores, static_cast<std::int64_t>(here.n_cores), "affinity mask and cgroup quota");
  decide(s.node_size, s.n_pes.value, "all PEs on one machine");
  const auto node_size = static_cast<std::size_t>(std::min(s.node_size.value, s.n_pes.value));

  check_memory_bytes(s);
  const std::size_t share = here.memory_bytes / 16 / n_here;
  decide(s.memory_bytes, std::min(memory_bytes_most, share),
         share < memory_bytes_most ? "1/16 of the memory, divided among the PEs" : "1/16 of the memory is more");
  const std::size_t for_slots = sending_bytes(s) - least_spill_bytes(s);
  const std::size_t pool = std::min(for_slots, pool_bytes_best);
  if (s.n_hops.value == 0) s.adapts_hops = true;
  decide(s.n_hops, best_n_hops(pool, n_pes, node_size), "number of PEs, nodes and memory budget");
  decide(s.slot_bytes, slot_bytes_for(pool, n_links(n_pes, node_size, s.n_hops.value)),
         "memory budget and number of links");
  check_slot_bytes(s);
  s.slot_bytes.value = (s.slot_bytes.value + 63) / 64 * 64;
  const std::size_t n_slots = std::min(pool / s.slot_bytes.value, for_slots / (s.slot_bytes.value + header_bytes));
  decide(s.n_slots, std::clamp<std::size_t>(n_slots, n_slots_least, 1 << 16), "memory budget");

  // Untouched pages of the heap cost nothing, so the default is generous.
  decide(s.heap_bytes, std::max(here.memory_bytes / 4 / n_here / mib, std::size_t{1}) * mib,
         "1/4 of the memory, divided among the PEs");
  check(s, here);
}

}  // namespace shoal
