#include "shoal/task/internal/buffer_copies.hpp"

#include <cstdlib>
#include <cstring>

namespace shoal::internal {

buffer_copies::~buffer_copies() {
  free_all(spare_);
  free_all(returned_.load(std::memory_order_acquire));
}

void buffer_copies::free_all(buffer* first) noexcept {
  while (first != nullptr) {
    buffer* const next = first->next_pending;
    std::free(first);
    first = next;
  }
}

buffer* buffer_copies::try_take() noexcept {
  // Acquires what take_back has released: the worker reads the copy no more.
  if (spare_ == nullptr) spare_ = returned_.exchange(nullptr, std::memory_order_acquire);
  if (spare_ != nullptr) {
    buffer* const first = spare_;
    spare_ = first->next_pending;
    return first;
  }
  if (n_made_ == n_most_) return nullptr;
  const std::size_t bytes = sizeof(buffer) + payload_bytes_;
  void* const memory =
      std::aligned_alloc(cache_line_bytes, (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes);
  if (memory == nullptr) return nullptr;
  ++n_made_;
  return new (memory) buffer;
}

void buffer_copies::take_back(buffer& its) noexcept {
  its.next_pending = returned_.load(std::memory_order_relaxed);
  while (
      !returned_.compare_exchange_weak(its.next_pending, &its, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

buffer_copies::copy buffer_copies::try_copy(const buffer& b, std::size_t offset) noexcept {
  buffer* const its = try_take();
  if (its == nullptr) return {nullptr, {this}};
  its->header = b.header;
  std::memcpy(its->payload() + offset, b.payload() + offset, b.header.bytes - offset);
  return {its, {this}};
}

}  // namespace shoal::internal
