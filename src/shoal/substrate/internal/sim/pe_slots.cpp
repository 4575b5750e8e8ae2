#include "shoal/substrate/internal/sim/pe_slots.hpp"

namespace shoal::internal::sim {

buffer* pe_slots::take_free() {
  if (n_returned_ == 0) return custody_.make(my_pe_);
  // Take the slot that came back last: its memory is warmest, and untouched slots stay untouched.
  buffer* const taken = memory_.slot(returned_first_);
  returned_first_ = taken->next.load(std::memory_order_relaxed);
  --n_returned_;
  custody_.give_to(my_pe_, *taken);
  return taken;
}

void pe_slots::put_back(buffer& slot) noexcept {
  custody_.put_back(slot);
  slot.next.store(returned_first_, std::memory_order_relaxed);
  returned_first_ = slot.slot;
  ++n_returned_;
}

void pe_slots::append_arrived(buffer& arrived) noexcept {
  if (n_arrived_ == 0) {
    arrived_first_ = arrived.slot;
  } else {
    memory_.slot(arrived_last_)->next.store(arrived.slot, std::memory_order_relaxed);
  }
  arrived_last_ = arrived.slot;
  ++n_arrived_;
}

buffer* pe_slots::take_arrived() noexcept {
  if (n_arrived_ == 0) return nullptr;
  buffer* const oldest = memory_.slot(arrived_first_);
  arrived_first_ = oldest->next.load(std::memory_order_relaxed);
  --n_arrived_;
  custody_.give_to(my_pe_, *oldest);
  return oldest;
}

}  // namespace shoal::internal::sim
