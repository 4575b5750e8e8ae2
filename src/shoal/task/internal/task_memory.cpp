#include "shoal/task/internal/task_memory.hpp"

#include <new>

namespace shoal::internal {

struct task_memory::chunk {
  chunk* before;
  alignas(block_bytes) std::byte blocks[chunk_bytes];
};

task_memory::~task_memory() {
  while (chunk* const last = chunks_) {
    chunks_ = last->before;
    delete last;
  }
}

void* task_memory::allocate_large(std::size_t bytes) { return ::operator new(bytes, std::align_val_t{block_bytes}); }

void task_memory::deallocate_large(void* memory) noexcept { ::operator delete(memory, std::align_val_t{block_bytes}); }

void task_memory::refill(std::size_t its_class) {
  free_[its_class] = returned_[its_class].exchange(nullptr, std::memory_order_acquire);
  if (free_[its_class] != nullptr) return;
  const std::size_t bytes = (its_class + 1) * block_bytes;
  auto* const next = new chunk;
  next->before = chunks_;
  chunks_ = next;
  for (std::size_t at = 0; at + bytes <= sizeof next->blocks; at += bytes) deallocate(next->blocks + at, its_class);
}

}  // namespace shoal::internal
