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

void frames::grow(std::size_t its_class) {
  const std::size_t bytes = (its_class + 1) * step_bytes;
  auto* const next = new chunk;
  next->before = chunks_;
  chunks_ = next;
  for (std::size_t at = 0; at + bytes <= sizeof next->blocks; at += bytes) deallocate(next->blocks + at, bytes);
}

}  // namespace shoal::internal
