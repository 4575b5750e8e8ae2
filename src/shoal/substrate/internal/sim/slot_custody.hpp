/// Tracks the holder of each slot of a simulated job: a PE, the network, or nobody.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/sim/world_memory.hpp"

namespace shoal::internal::sim {

/// Under AddressSanitizer, the payload of a slot that no PE holds is forbidden: a write to a posted buffer or a read of
/// a released one is reported where it happens.
class slot_custody {
public:
  /// `memory` outlives this object.
  explicit slot_custody(const world_memory& memory) : memory_(memory), holders_(memory.n_pes()) {}
  ~slot_custody();
  slot_custody(const slot_custody&) = delete;
  slot_custody& operator=(const slot_custody&) = delete;

  /// Creates the next slot of `owner` that has never been used; `owner` then holds it. Null if there is none.
  buffer* make(pe_id owner);

  /// How many slots of `owner` have not been created.
  std::size_t n_unmade(pe_id owner) const noexcept {
    return memory_.n_slots() - holders_[static_cast<std::size_t>(owner)].size();
  }

  bool is_held_by(pe_id pe, const buffer& slot) noexcept { return holder(slot) == static_cast<std::int32_t>(pe); }

  void give_to(pe_id pe, buffer& slot) noexcept;
  void give_to_network(buffer& slot) noexcept;
  void put_back(buffer& slot) noexcept;

private:
  static constexpr std::int32_t nobody = -1;
  static constexpr std::int32_t network_holds_it = -2;

  std::int32_t& holder(const buffer& slot) noexcept {
    return holders_[static_cast<std::size_t>(memory_.owner(slot.slot))][slot.slot % memory_.n_slots()];
  }

  const world_memory& memory_;
  std::vector<std::vector<std::int32_t>> holders_;  // by owner: for each slot that exists, a PE or one of the above
};

}  // namespace shoal::internal::sim
