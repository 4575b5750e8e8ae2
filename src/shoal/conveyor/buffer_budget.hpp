/// How a PE's memory for sending becomes slots, hops and spill, before there is an exchange.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shoal {

/// The hop count aims at this many slots per link, each of at least this size. Each hop copies and waits once more, which
/// costs less than smaller buffers do; and with fewer slots, links starve one another.
inline constexpr std::size_t slots_per_link = 4;
inline constexpr std::size_t slot_bytes_fair = 4096;

/// The payload that a user may choose for a slot.
inline constexpr std::size_t slot_bytes_min = 64;
inline constexpr std::size_t slot_bytes_max = std::size_t{64} << 20;

/// Links of a PE in all hops of a route over nodes of `node_size` PEs each (route.hpp).
std::size_t n_links_of(std::size_t n_pes, std::size_t node_size, std::int64_t n_hops);

/// One half is for slots, the other for what handlers send beyond their credits: each such message to another link takes
/// a block of a slot's size, and a handler may send to every link. All functions are local arithmetic.
class buffer_budget {
public:
  /// `bytes` are what one PE may spend on sending.
  explicit buffer_budget(std::size_t bytes) noexcept : bytes_(bytes) {}

  /// The smallest budget that the least slots and their spill keep.
  static std::size_t bytes_min() noexcept;

  /// The fewest hops with buffers of a fair size; if none has them, those with the fewest links.
  std::int64_t n_hops(std::size_t n_pes, std::size_t node_size) const noexcept;

  /// Payload of a slot if a PE has so many links, a multiple of 64.
  std::size_t slot_bytes(std::size_t n_links) const noexcept;

  /// Slots of so many payload bytes each.
  std::size_t n_slots(std::size_t slot_bytes) const noexcept;

  /// The most that handlers may send beyond their credits: what the slots leave, and at least one half. Slots that the
  /// user chose large for the budget go beyond it; then a few blocks of their size do, too.
  std::size_t spill_bytes(std::size_t n_slots, std::size_t slot_bytes) const noexcept;

private:
  std::size_t for_slots() const noexcept;
  std::size_t pool_bytes() const noexcept;

  std::size_t bytes_;
};

}  // namespace shoal
