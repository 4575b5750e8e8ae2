#include "tools/network_bench/library/support/memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace network_bench {
namespace {

constexpr std::size_t page_bytes = 4096;

std::byte pattern(std::size_t place, std::size_t bytes, bool is_from_first) {
  const std::size_t seed = 31 * (bytes ^ bytes >> 8 ^ bytes >> 16) + (is_from_first ? 1 : 2);
  return static_cast<std::byte>((place * 167 + (place >> 8) * 13 + seed * 101) & 0xff);
}

}  // namespace

message_slots::message_slots(std::size_t bytes, std::int64_t n_slots) : bytes_(bytes) {
  const std::size_t wanted = std::max<std::size_t>(1, bytes * static_cast<std::size_t>(n_slots));
  const std::size_t in_pages = (wanted + page_bytes - 1) / page_bytes * page_bytes;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(page_bytes, in_pages)));
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, in_pages);
}

void fill_pattern(std::span<std::byte> message, bool is_from_first) {
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = pattern(i, message.size(), is_from_first);
}

bool has_pattern(std::span<const std::byte> message, bool is_from_first) {
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (message[i] != pattern(i, message.size(), is_from_first)) return false;
  }
  return true;
}

std::int64_t n_window(std::size_t bytes) {
  constexpr std::size_t window_bytes_max = 32u << 20;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(window_bytes_max / bytes), 1, 64);
}

}  // namespace network_bench
