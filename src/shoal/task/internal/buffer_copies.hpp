/// Memory for copies of arrived buffers, whose messages tasks handle.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

/// So many as were asked for at most; each is made when it is first needed.
class buffer_copies {
public:
  buffer_copies(std::size_t payload_bytes, std::size_t n_most) noexcept
      : payload_bytes_(payload_bytes), n_most_(n_most) {}
  ~buffer_copies();
  buffer_copies(const buffer_copies&) = delete;
  buffer_copies& operator=(const buffer_copies&) = delete;

  struct give_back {
    buffer_copies* to;
    void operator()(buffer* its) const noexcept { to->take_back(*its); }
  };
  /// Any worker may destroy it.
  using copy = std::unique_ptr<buffer, give_back>;

  /// A copy of `b`, without the items before `offset`. Null: all are in use, or there is no memory. For the PE's own thread.
  copy try_copy(const buffer& b, std::size_t offset) noexcept;

private:
  buffer* try_take() noexcept;
  void take_back(buffer& its) noexcept;
  static void free_all(buffer* first) noexcept;

  const std::size_t payload_bytes_;
  const std::size_t n_most_;
  std::size_t n_made_ = 0;
  buffer* spare_ = nullptr;  // each knows the next
  alignas(cache_line_bytes) std::atomic<buffer*> returned_{nullptr};  // the last one, which knows the one before
};

}  // namespace shoal::internal
