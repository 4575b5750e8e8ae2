/// Divides a PE's memory for sending into slots and spill, and derives the hop count. Needs no exchange.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shoal::internal {

struct link_costs;

/// The hop count aims at this many slots per link, each of at least this size. One more hop copies each item and waits
/// once more, which costs less than smaller buffers. With fewer slots, links starve one another.
inline constexpr std::size_t slots_per_link = 4;
inline constexpr std::size_t slot_bytes_fair = 4096;

/// Limits of the slot payload that a user may choose.
inline constexpr std::size_t slot_bytes_min = 64;
inline constexpr std::size_t slot_bytes_max = std::size_t{64} << 20;

/// Throughput between two cores stops rising at slots of this size (docs/performance.md).
inline constexpr std::size_t slot_bytes_usual = 32 * 1024;

/// Payload of a slot that suits such links: more than usual if buffers cost much there, so that what a buffer costs is small
/// beside what its bytes cost.
std::size_t slot_bytes_for(const link_costs& costs) noexcept;

/// Number of links that a PE has in all hops of a route over nodes of `node_size` PEs (route.hpp).
std::size_t n_links_of(std::size_t n_pes, std::size_t node_size, std::int64_t n_hops);

/// Splits a budget in halves: one for slots, one for the spill (what handlers send beyond their credits). Each spilled
/// message to another link takes a block as large as a slot, and a handler may send to every link. All functions are
/// local arithmetic.
class buffer_budget {
public:
  /// `bytes`: what one PE may spend on sending.
  explicit buffer_budget(std::size_t bytes) noexcept : bytes_(bytes) {}

  /// The smallest budget that holds the minimum of slots and their spill.
  static std::size_t bytes_min() noexcept;

  /// The fewest hops whose slots hold `slot_bytes_fair`; if there are none, the hop count with the fewest links.
  std::int64_t n_hops(std::size_t n_pes, std::size_t node_size) const noexcept;

  /// Payload of a slot for a PE with `n_links` links, a multiple of 64; at most `best`, which is one, too.
  std::size_t slot_bytes(std::size_t n_links, std::size_t best = slot_bytes_usual) const noexcept;

  /// Number of slots with `slot_bytes` of payload each.
  std::size_t n_slots(std::size_t slot_bytes) const noexcept;

  /// The limit of the spill: what the slots leave, and at least one half of the budget. If the user's slots are too
  /// large for the budget, the spill still holds a few blocks of their size and exceeds the budget.
  std::size_t spill_bytes(std::size_t n_slots, std::size_t slot_bytes) const noexcept;

private:
  std::size_t for_slots() const noexcept;
  std::size_t pool_bytes() const noexcept;

  std::size_t bytes_;
};

}  // namespace shoal::internal
