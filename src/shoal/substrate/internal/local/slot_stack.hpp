/// A stack to which any PE may push, and which one PE empties as a whole (Treiber 1986; pop-all excludes the ABA
/// problem). Holds slots or cells of control messages. docs/design/slot-stacks.md has the proof.
#pragma once

#include <atomic>
#include <cstdint>

namespace shoal::internal::local {

/// The number plus one of the element pushed last; zero if there is none. Each element holds that of the one below.
using slot_stack = std::atomic<std::uint32_t>;
static_assert(slot_stack::is_always_lock_free);

/// Pushes the element `number`; `next` is its link to the element below. True if the stack was empty. Local.
inline bool push(slot_stack& stack, std::atomic<std::uint32_t>& next, std::uint32_t number) noexcept {
  std::uint32_t top = stack.load(std::memory_order_relaxed);
  do {
    next.store(top, std::memory_order_relaxed);
    // seq_cst: releases the element's contents to the pop-all, and is ordered before the load of `pe_page::asleep` in
    // local_substrate::wake, whose partner is the sleeper's store and load in wait.
  } while (!stack.compare_exchange_weak(top, number + 1, std::memory_order_seq_cst, std::memory_order_relaxed));
  return top == 0;
}

/// Empties the stack. Returns the number plus one of the element pushed last; zero if there is none. Local.
inline std::uint32_t pop_all(slot_stack& stack) noexcept {
  // acquire: pairs with the release of every push since the last pop-all. They form one release
  // sequence, so the newest element makes all older ones visible too.
  return stack.exchange(0, std::memory_order_acquire);
}

}  // namespace shoal::internal::local
