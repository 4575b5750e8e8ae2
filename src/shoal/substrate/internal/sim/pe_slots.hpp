/// The slots that one PE holds: free ones of its own pool, and buffers that have arrived.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/sim/slot_custody.hpp"
#include "shoal/substrate/internal/sim/world_memory.hpp"

namespace shoal::internal::sim {

/// Both lists are linked by buffer::next. A slot is created when it is first taken.
class pe_slots {
public:
  /// `memory` and `custody` outlive this object.
  pe_slots(const world_memory& memory, slot_custody& custody, pe_id my_pe) noexcept
      : memory_(memory), custody_(custody), my_pe_(my_pe) {}

  std::size_t n_free() const noexcept { return n_returned_ + custody_.n_unmade(my_pe_); }
  std::size_t n_arrived() const noexcept { return n_arrived_; }

  /// A free slot, which this PE then holds; null if there is none.
  buffer* take_free();

  /// Adds a slot of this PE's pool to the free ones.
  void put_back(buffer& slot) noexcept;

  /// Adds a buffer that has arrived here.
  void append_arrived(buffer& arrived) noexcept;

  /// The buffer that arrived first, which this PE then holds; null if there is none.
  buffer* take_arrived() noexcept;

private:
  const world_memory& memory_;
  slot_custody& custody_;
  pe_id my_pe_;
  std::uint32_t returned_first_ = world_memory::no_slot;  // the free slot that came back last
  std::uint32_t arrived_first_ = world_memory::no_slot;
  std::uint32_t arrived_last_ = world_memory::no_slot;
  std::size_t n_returned_ = 0;
  std::size_t n_arrived_ = 0;
};

}  // namespace shoal::internal::sim
