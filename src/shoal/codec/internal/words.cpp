#include "shoal/codec/internal/words.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "shoal/codec/internal/kernels.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t largest_stride = 16;
constexpr std::size_t n_sampled = 128;

std::uint64_t difference(const std::byte* payload, std::size_t i, std::size_t stride) noexcept {
  const std::uint64_t word = load_word(payload + i * word_bytes);
  return stride == 0 || i < stride ? word : word ^ load_word(payload + (i - stride) * word_bytes);
}

// Bit k is set if byte k is not 0.
unsigned mask_of(std::uint64_t word) noexcept {
  constexpr std::uint64_t low_7 = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t highest = (((word & low_7) + low_7) | word) & ~low_7;  // the top bit of each byte that is not 0
  return static_cast<unsigned>((highest >> 7) * 0x0102040810204080 >> 56);  // gathers these bits
}

std::size_t encoded_bytes(const std::byte* payload, std::size_t n_words, std::size_t stride) noexcept {
  std::size_t bytes = n_words;
  for (std::size_t i = 0; i < n_words; ++i) {
    bytes += static_cast<std::size_t>(std::popcount(mask_of(difference(payload, i, stride))));
  }
  return bytes;
}

// Writes up to 8 bytes, keeping those that are not zero. Returns their end.
std::byte* write_bytes(std::byte* out, std::uint64_t word, unsigned mask) noexcept {
  if (mask == 0) return out;
  if (mask == 0xff) {
    store_word(out, word);
    return out + word_bytes;
  }
  for (; mask != 0; mask >>= 1, word >>= 8) {
    *out = static_cast<std::byte>(word);
    out += mask & 1;
  }
  return out;
}

std::uint64_t read_bytes(const std::byte* in, unsigned mask) noexcept {
  if (mask == 0xff) return load_word(in);
  std::uint64_t word = 0;
  for (; mask != 0; mask &= mask - 1) {
    word |= static_cast<std::uint64_t>(*in++) << 8 * static_cast<unsigned>(std::countr_zero(mask));
  }
  return word;
}

}  // namespace

std::size_t encode_words(std::span<const std::byte> payload, std::span<std::byte> out) noexcept {
  const std::size_t n_words = payload.size() / word_bytes;
  const std::size_t n_first = std::min(n_words, n_sampled);
  if (n_words == 0 || out.empty()) return 0;
  std::size_t stride = 0;
  std::size_t least = SIZE_MAX;
  for (std::size_t s = 0; s <= std::min(largest_stride, n_first - 1); ++s) {
    const std::size_t bytes = encoded_bytes(payload.data(), n_first, s);
    if (bytes >= least) continue;
    least = bytes;
    stride = s;
  }
  if (least >= n_first * word_bytes) return 0;

  std::byte* at = out.data();
  const std::byte* const end = at + out.size();
  *at++ = static_cast<std::byte>(stride);
  for (std::size_t i = 0; i < n_words; ++i) {
    if (end - at < static_cast<std::ptrdiff_t>(1 + word_bytes)) return 0;
    const std::uint64_t word = difference(payload.data(), i, stride);
    const unsigned mask = mask_of(word);
    *at++ = static_cast<std::byte>(mask);
    at = write_bytes(at, word, mask);
  }
  const std::span<const std::byte> rest = payload.subspan(n_words * word_bytes);
  if (static_cast<std::size_t>(end - at) < rest.size()) return 0;
  std::copy(rest.begin(), rest.end(), at);
  return static_cast<std::size_t>(at - out.data()) + rest.size();
}

bool decode_words(std::span<const std::byte> body, std::span<std::byte> payload) noexcept {
  const std::size_t n_words = payload.size() / word_bytes;
  if (body.empty() || n_words == 0) return false;
  const auto stride = static_cast<std::size_t>(body[0]);
  if (stride > largest_stride) return false;
  const std::byte* at = body.data() + 1;
  const std::byte* const end = body.data() + body.size();
  for (std::size_t i = 0; i < n_words; ++i) {
    if (at == end) return false;
    const auto mask = static_cast<unsigned>(*at++);
    const int n_bytes = std::popcount(mask);
    if (end - at < n_bytes) return false;
    std::uint64_t word = read_bytes(at, mask);
    at += n_bytes;
    if (stride != 0 && i >= stride) word ^= load_word(payload.data() + (i - stride) * word_bytes);
    store_word(payload.data() + i * word_bytes, word);
  }
  const std::span<std::byte> rest = payload.subspan(n_words * word_bytes);
  if (static_cast<std::size_t>(end - at) != rest.size()) return false;
  std::copy(at, end, rest.begin());
  return true;
}

}  // namespace shoal::internal
