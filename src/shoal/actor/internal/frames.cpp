#include "shoal/actor/internal/frames.hpp"

#include "shoal/base/types.hpp"

namespace shoal::internal {

// Aligned, so that a block of 64 bytes is one cache line.
struct frames::chunk {
  chunk* before;
  alignas(cache_line_bytes) std::byte blocks[chunk_bytes];
};

frames::~frames() {
  while (chunk* const last = chunks_) {
    chunks_ = last->before;
    delete last;
  }
}

void* frames::allocate_slowly(std::size_t its_class, std::size_t bytes) {
  if (is_shared_) return ::operator new(bytes);
  const std::size_t block_bytes = (its_class + 1) * step_bytes;
  auto* const next = new chunk;
  next->before = chunks_;
  chunks_ = next;
  for (std::size_t at = 0; at + block_bytes <= sizeof next->blocks; at += block_bytes) {
    deallocate(next->blocks + at, block_bytes);
  }
  return allocate(bytes);
}

}  // namespace shoal::internal
