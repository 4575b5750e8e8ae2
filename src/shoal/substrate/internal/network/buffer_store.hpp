/// Memory for buffers that are not slots; keeps it for reuse.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::network {

class buffer_store {
public:
  explicit buffer_store(std::size_t payload_bytes) : payload_bytes_(payload_bytes) {}

  /// A buffer. Ends the job if there is no memory.
  buffer& take();
  void give_back(buffer& b) { free_.push_back(&b); }

private:
  struct free_memory {
    void operator()(buffer* b) const noexcept;
  };

  std::size_t payload_bytes_;
  std::vector<std::unique_ptr<buffer, free_memory>> all_;
  std::vector<buffer*> free_;
};

}  // namespace shoal::internal::network
