/// A pool of buffers to send, as a substrate has one.
#pragma once

#include <memory>
#include <new>
#include <vector>

#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::test {

struct wire_slots {
  explicit wire_slots(const internal::network::wire_sizes& sizes)
      : memory(sizes.n_slots * (sizeof(internal::buffer) + sizes.payload_bytes) + cache_line_bytes) {
    const std::size_t stride = sizeof(internal::buffer) + sizes.payload_bytes;
    void* first = memory.data();
    std::size_t space = memory.size();
    std::align(cache_line_bytes, sizes.n_slots * stride, first, space);
    for (std::size_t i = 0; i < sizes.n_slots; ++i) {
      free.push_back(new (static_cast<std::byte*>(first) + i * stride) internal::buffer);
    }
  }

  std::vector<std::byte> memory;
  std::vector<internal::buffer*> free;
};

}  // namespace shoal::test
