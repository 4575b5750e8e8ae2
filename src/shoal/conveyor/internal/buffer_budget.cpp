#include "shoal/conveyor/internal/buffer_budget.hpp"

#include <algorithm>

#include "shoal/conveyor/internal/route.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// A pool beyond 16 MiB only takes cache from the program.
constexpr std::size_t slot_bytes_least = 512;
constexpr std::size_t pool_bytes_best = 16 * mib;
constexpr std::size_t n_slots_least = 8;
constexpr std::size_t n_slots_most = 1 << 16;
constexpr std::size_t n_spill_blocks_least = 8;

// Larger slots delay the first message of each more than they save.
constexpr std::size_t slot_bytes_of_slow_links = 256 * kib;
// The bytes of a full buffer cost at least so many times as much as the buffer.
constexpr double bytes_to_buffer = 16;
// What handling a byte costs PEs, however fast the link is: 3 ns at each end for a message of 8 bytes.
constexpr double ns_per_byte_handled = 0.75;

// Size of a slot with its header.
constexpr std::size_t whole_slot(std::size_t slot_bytes) { return slot_bytes + sizeof(buffer); }

}  // namespace

// One hop: all PEs. Two hops: the PEs of the node, and one on each node. Three hops, with groups of as many nodes as a
// node has PEs: the node, one PE on a node of each group, the node again.
std::size_t n_links_of(std::size_t n_pes, std::size_t node_size, std::int64_t n_hops) {
  switch (n_hops) {
    case 1: return n_pes;
    case 2: return node_size + (n_pes + node_size - 1) / node_size;
    default: return 2 * node_size + (n_pes + node_size * node_size - 1) / (node_size * node_size);
  }
}

std::size_t slot_bytes_for(const link_costs& costs) noexcept {
  const double byte_ns = std::max(ns_per_byte_handled, costs.network.gap_per_byte_ns);
  const double wanted = bytes_to_buffer * static_cast<double>(buffer_ns(costs.network)) / byte_ns;
  std::size_t bytes = slot_bytes_usual;
  while (static_cast<double>(bytes) < wanted && bytes < slot_bytes_of_slow_links) bytes *= 2;
  return bytes;
}

std::size_t buffer_budget::bytes_min() noexcept { return 2 * n_slots_least * whole_slot(slot_bytes_least); }

std::int64_t buffer_budget::n_hops(std::size_t n_pes, std::size_t node_size) const noexcept {
  std::int64_t best = 1;
  for (std::int64_t n_hops = 1; n_hops <= n_hops_max; ++n_hops) {
    const std::size_t n_links = n_links_of(n_pes, node_size, n_hops);
    if (slot_bytes(n_links) >= slot_bytes_fair) return n_hops;
    if (n_links < n_links_of(n_pes, node_size, best)) best = n_hops;
  }
  return best;
}

std::size_t buffer_budget::slot_bytes(std::size_t n_links, std::size_t best) const noexcept {
  // One more than the minimum, so that the headers fit as well.
  const std::size_t n_slots = std::max(slots_per_link * n_links, n_slots_least + 1);
  return std::clamp(pool_bytes() / n_slots, slot_bytes_least, best) / 64 * 64;
}

std::size_t buffer_budget::n_slots(std::size_t slot_bytes) const noexcept {
  const std::size_t n = std::min(pool_bytes() / slot_bytes, for_slots() / whole_slot(slot_bytes));
  return std::clamp(n, n_slots_least, n_slots_most);
}

std::size_t buffer_budget::spill_bytes(std::size_t n_slots, std::size_t slot_bytes) const noexcept {
  const std::size_t slots = n_slots * whole_slot(slot_bytes);
  const std::size_t left = bytes_ - std::min(bytes_, slots);
  return std::max({left, bytes_ / 2, n_spill_blocks_least * whole_slot(slot_bytes)});
}

std::size_t buffer_budget::for_slots() const noexcept { return bytes_ - bytes_ / 2; }
std::size_t buffer_budget::pool_bytes() const noexcept { return std::min(for_slots(), pool_bytes_best); }

}  // namespace shoal::internal
