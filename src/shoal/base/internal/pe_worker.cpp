#include "shoal/base/internal/pe_worker.hpp"

namespace shoal::internal {

constinit thread_local pe_worker* current_worker = nullptr;

void pe_worker::push(posted_call& last) noexcept {
  last.owner = owner_now();
  posted_call* before = posted_.load(std::memory_order_relaxed);
  do {
    last.next = before;
    // seq_cst: the PE's own thread looks here after it has said that it will sleep, and notify_pe looks for that
    // afterwards.
  } while (!posted_.compare_exchange_weak(before, &last, std::memory_order_seq_cst, std::memory_order_relaxed));
  notify_pe();
}

posted_call* pe_worker::take_posted() noexcept {
  if (posted_.load(std::memory_order_relaxed) == nullptr) return nullptr;
  posted_call* first = nullptr;
  for (posted_call* each = posted_.exchange(nullptr, std::memory_order_acquire); each != nullptr;) {
    posted_call* const before = each->next;
    each->next = first;
    first = each;
    each = before;
  }
  return first;
}

}  // namespace shoal::internal
