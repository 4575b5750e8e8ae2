/// Memory of messages, and the bytes that they must have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace network_bench {

/// `n_slots` messages of `bytes` each, one after the other, from the beginning of a page. Zero at first.
class message_slots {
public:
  message_slots(std::size_t bytes, std::int64_t n_slots = 1);

  std::byte* slot(std::int64_t index) const { return memory_.get() + static_cast<std::size_t>(index) * bytes_; }
  std::span<std::byte> span(std::int64_t index = 0) const { return {slot(index), bytes_}; }

private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, release> memory_;
};

/// Bytes that depend on their place, on the size of the message and on which process sends it. Two successive messages
/// of other sizes, and memory that was never written, differ from it.
void fill_pattern(std::span<std::byte> message, bool is_from_first);
bool has_pattern(std::span<const std::byte> message, bool is_from_first);

/// How many messages a window has: 64, or fewer so that they take at most 32 MiB together, but at least one.
std::int64_t n_window(std::size_t bytes);

}  // namespace network_bench
