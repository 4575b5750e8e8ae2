/// A line for stderr that a signal handler may put together: without memory from the heap, locks or the C library's
/// streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shoal::internal {

class signal_text {
public:
  signal_text& operator<<(std::string_view text) noexcept;
  signal_text& operator<<(std::int64_t number) noexcept;
  signal_text& add_hex(std::uintptr_t number) noexcept;

  /// Writes the line by one call of write. What did not fit is cut off.
  void print() noexcept;

private:
  char bytes_[1024];
  std::size_t n_ = 0;
};

}  // namespace shoal::internal
