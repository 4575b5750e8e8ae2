/// One PE's end of the control messages that go through the shared segment.
///
/// Cells are a second, tiny pool of slots. A send takes a free cell of its own, fills it and pushes its number onto the
/// target's stack; the target copies the message out and pushes the cell back at once. docs/design/control-plane.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/substrate/control.hpp"
#include "shoal/substrate/local/segment.hpp"

namespace shoal::local {

class control_cells {
public:
  /// `memory` outlives this object.
  control_cells(segment& memory, pe_id my_pe) noexcept : memory_(memory), mine_(memory.page(my_pe)), my_pe_(my_pe) {}

  /// As control_transport::try_send_control. The caller wakes the target.
  bool try_send(std::span<const std::byte> bytes, pe_id target) noexcept;

  /// As control_transport::poll_control. `source_may_wait`: the source may have been refused since its last cell came
  /// back; the caller wakes it.
  bool poll(control_message& into, bool& source_may_wait) noexcept;

  /// Whether there is something that no announce has covered: a message, or a cell that came back after a refusal. For
  /// a PE that is about to sleep and has said so.
  bool has_news() const noexcept;

  /// `wait` returns: the caller is going to look. What it leaves here is no reason to return again.
  void announce() noexcept;

private:
  control_cell& cell(std::uint32_t number) const noexcept {
    return memory_.page(static_cast<pe_id>(number / n_controls_max)).cells[number % n_controls_max];
  }
  void take_returned() noexcept;

  segment& memory_;
  pe_page& mine_;
  pe_id my_pe_;

  std::uint32_t free_ = (1U << n_controls_max) - 1;  // a bit for each cell of this PE
  std::uint32_t arrived_ = 0;  // taken off the stack: the oldest, by number plus one

  bool has_more_arrived_ = false;  // a poll has left some of those behind, since the last announce
  std::uint32_t announced_ = 0;  // top of the stack at the last announce, if nothing was polled since
  bool was_refused_ = false;  // and no cell that came back has been announced since
};

}  // namespace shoal::local
