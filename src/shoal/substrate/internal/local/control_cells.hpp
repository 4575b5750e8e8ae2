/// One PE's end of the control messages that go through the shared segment.
///
/// Cells are a second, tiny pool of slots. A sender fills a free cell of its own and pushes its number onto the
/// target's stack. The target copies the message out and immediately pushes the cell back. See
/// docs/design/control-plane.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/control.hpp"
#include "shoal/substrate/internal/local/segment.hpp"

namespace shoal::internal::local {

class control_cells {
public:
  /// `memory` outlives this object.
  control_cells(segment& memory, pe_id my_pe) noexcept : memory_(memory), mine_(memory.page(my_pe)), my_pe_(my_pe) {}

  /// As control_transport::try_send_control. The caller must wake the target.
  bool try_send(std::span<const std::byte> bytes, pe_id target) noexcept;

  /// As control_transport::poll_control. `source_may_wait`: the source may have been refused since its last cell came
  /// back, so the caller must wake it.
  bool poll(control_message& into, bool& source_may_wait) noexcept;

  /// Whether there is anything that no `announce` has covered: a message, or a cell that came back after a refusal. For
  /// a PE that is about to sleep and has announced that.
  bool has_news() const noexcept;

  /// Called when `wait` returns: the caller will look. What it leaves here is no reason to return again.
  void announce() noexcept;

private:
  control_cell& cell(std::uint32_t number) const noexcept {
    return memory_.page(static_cast<pe_id>(number / n_controls_max)).cells[number % n_controls_max];
  }
  void take_returned() noexcept;

  segment& memory_;
  pe_page& mine_;
  pe_id my_pe_;

  std::uint32_t free_ = (1U << n_controls_max) - 1;  // one bit per cell of this PE
  std::uint32_t arrived_ = 0;  // popped messages: the oldest one's number plus one

  bool has_more_arrived_ = false;  // since the last announce, a poll has left some of them behind
  std::uint32_t announced_ = 0;  // top of the stack at the last announce, if nothing was polled since
  bool was_refused_ = false;  // and since then no returned cell has been announced
};

}  // namespace shoal::internal::local
