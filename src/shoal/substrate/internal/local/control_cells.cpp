#include "shoal/substrate/internal/local/control_cells.hpp"

#include <bit>
#include <cstring>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::local {

bool control_cells::try_send(std::span<const std::byte> bytes, pe_id target) noexcept {
  SHOAL_ASSERT(bytes.size() <= control_bytes_max);
  if (free_ == 0) take_returned();
  was_refused_ = free_ == 0;
  if (was_refused_) return false;
  const auto place = static_cast<std::uint32_t>(std::countr_zero(free_));
  free_ &= free_ - 1;
  control_cell& taken = mine_.cells[place];
  taken.bytes = static_cast<std::uint32_t>(bytes.size());
  if (!bytes.empty()) std::memcpy(taken.data, bytes.data(), bytes.size());
  const auto first = static_cast<std::uint32_t>(my_pe_) * static_cast<std::uint32_t>(n_controls_max);
  push(memory_.page(target).controls, taken.next, first + place);
  return true;
}

bool control_cells::poll(control_message& into, bool& source_may_wait) noexcept {
  source_may_wait = false;
  if (arrived_ == 0) {
    if (mine_.controls.load(std::memory_order_relaxed) == 0) return false;
    for (std::uint32_t newest = pop_all(mine_.controls); newest != 0;) {  // reverses the stack: oldest first
      control_cell& each = cell(newest - 1);
      const std::uint32_t older = each.next.load(std::memory_order_relaxed);
      each.next.store(arrived_, std::memory_order_relaxed);
      arrived_ = newest;
      newest = older;
    }
  }
  const std::uint32_t number = arrived_ - 1;
  control_cell& oldest = cell(number);
  arrived_ = oldest.next.load(std::memory_order_relaxed);
  has_more_arrived_ = arrived_ != 0;
  announced_ = 0;  // the caller looks now; what is still there when it waits counts as new

  into.source = static_cast<pe_id>(number / n_controls_max);
  into.bytes = oldest.bytes;
  if (into.bytes != 0) std::memcpy(into.data, oldest.data, into.bytes);
  if (into.source == my_pe_) {
    free_ |= 1U << number % n_controls_max;
  } else {
    // A source that was refused has found its stack empty, so only the first cell that comes back needs to wake it.
    source_may_wait = push(memory_.page(into.source).returned_controls, oldest.next, number);
  }
  return true;
}

void control_cells::take_returned() noexcept {
  if (mine_.returned_controls.load(std::memory_order_relaxed) == 0) return;
  for (std::uint32_t newest = pop_all(mine_.returned_controls); newest != 0;) {
    const std::uint32_t number = newest - 1;
    free_ |= 1U << number % n_controls_max;
    newest = cell(number).next.load(std::memory_order_relaxed);
  }
}

// seq_cst: as in local_substrate::has_news. The stack's top shows whether anything was pushed: no element becomes the
// top twice without a poll in between.
bool control_cells::has_news() const noexcept {
  return has_more_arrived_ || mine_.controls.load(std::memory_order_seq_cst) != announced_ ||
         (was_refused_ && (free_ != 0 || mine_.returned_controls.load(std::memory_order_seq_cst) != 0));
}

void control_cells::announce() noexcept {
  has_more_arrived_ = false;
  announced_ = mine_.controls.load(std::memory_order_relaxed);
  if (mine_.returned_controls.load(std::memory_order_relaxed) != 0 || free_ != 0) was_refused_ = false;
}

}  // namespace shoal::internal::local
