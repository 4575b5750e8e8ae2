/// A queue of buffers that allocates no memory.
#pragma once

#include <cstddef>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

/// First in, first out, linked through buffer::next_pending, so a buffer is in at most one queue.
class buffer_queue {
public:
  bool empty() const noexcept { return head_ == nullptr; }
  buffer* front() const noexcept { return head_; }
  std::size_t size() const noexcept { return size_; }

  void push(buffer& b) noexcept {
    b.next_pending = nullptr;
    (head_ == nullptr ? head_ : tail_->next_pending) = &b;
    tail_ = &b;
    ++size_;
  }

  void push_front(buffer& b) noexcept {
    b.next_pending = head_;
    if (head_ == nullptr) tail_ = &b;
    head_ = &b;
    ++size_;
  }

  buffer& pop() noexcept {
    SHOAL_ASSERT(head_ != nullptr && size_ != 0);
    buffer& b = *head_;
    head_ = b.next_pending;
    --size_;
    return b;
  }

  /// Moves all buffers of `later` to its end.
  void append(buffer_queue& later) noexcept {
    if (later.head_ == nullptr) return;
    (head_ == nullptr ? head_ : tail_->next_pending) = later.head_;
    tail_ = later.tail_;
    size_ += later.size_;
    later = {};
  }

private:
  buffer* head_ = nullptr;
  buffer* tail_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace shoal::internal
