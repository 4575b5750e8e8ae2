#include "shoal/substrate/internal/network/buffer_store.hpp"

#include <cstdlib>
#include <new>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal::network {

void buffer_store::free_memory::operator()(buffer* b) const noexcept { std::free(b); }

buffer& buffer_store::take() {
  if (free_.empty()) {
    void* const memory = std::aligned_alloc(cache_line_bytes, sizeof(buffer) + payload_bytes_);
    if (memory == nullptr) end_job(status_failure, "out of memory for buffers from other nodes; lower SHOAL_MEMORY");
    all_.emplace_back(new (memory) buffer);
    free_.push_back(all_.back().get());
  }
  buffer& taken = *free_.back();
  free_.pop_back();
  return taken;
}

}  // namespace shoal::internal::network
