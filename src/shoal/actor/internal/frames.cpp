#include "shoal/actor/internal/frames.hpp"

namespace shoal::internal {

void frames::grow(std::size_t its_class) {
  const std::size_t bytes = (its_class + 1) * step_bytes;
  std::byte* const chunk = chunks_.emplace_back(new block_chunk)->bytes;
  for (std::size_t at = 0; at + bytes <= chunk_bytes; at += bytes) deallocate(chunk + at, bytes);
}

}  // namespace shoal::internal
