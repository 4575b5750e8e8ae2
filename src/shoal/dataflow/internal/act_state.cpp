#include "shoal/dataflow/internal/act_state.hpp"

namespace shoal::internal {

bool act_state::begin_shared() noexcept {
  std::uint8_t now = word_.load(std::memory_order_relaxed);
  for (;;) {
    const bool is_held = (now & held) != 0;
    const auto next = static_cast<std::uint8_t>(is_held ? now | missed : acting);
    if (word_.compare_exchange_weak(now, next, std::memory_order_acq_rel, std::memory_order_relaxed)) return !is_held;
  }
}

act_state::ended act_state::end_shared() noexcept {
  std::uint8_t now = acting;
  while (!word_.compare_exchange_weak(now, static_cast<std::uint8_t>(now & due), std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
  }
  return {(now & due) != 0, (now & awaited) != 0};
}

bool act_state::try_hold() noexcept {
  std::uint8_t now = word_.load(std::memory_order_acquire);
  for (;;) {
    const bool acts = (now & acting) != 0;
    was_due_ = (now & due) != 0;
    const auto next = static_cast<std::uint8_t>(now | (acts ? awaited : held));
    if (word_.compare_exchange_weak(now, next, std::memory_order_acq_rel, std::memory_order_acquire)) return !acts;
  }
}

bool act_state::release() noexcept {
  constexpr auto marks = static_cast<std::uint8_t>(held | missed);
  const std::uint8_t before = word_.fetch_and(static_cast<std::uint8_t>(~marks), std::memory_order_acq_rel);
  return (before & due) != 0 && !(was_due_ && (before & missed) == 0);
}

}  // namespace shoal::internal
