#include "shoal/codec/internal/squeeze.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "shoal/codec/internal/words.hpp"

namespace shoal::internal {
namespace {

using internal::block_items;
using internal::kernels;
using internal::lanes_bytes;
using internal::load_word;
using internal::store_word;

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t n_units_min = 3;
constexpr std::size_t n_sampled = 64;

// How a payload divides into units: items, or groups of small items.
struct shape {
  std::size_t unit_bytes;
  std::size_t n_units;
  std::size_t left_over_bytes;

  std::size_t n_columns() const noexcept { return (unit_bytes + word_bytes - 1) / word_bytes; }
};

shape shape_of(std::size_t payload_bytes, std::size_t item_bytes) noexcept {
  // The least common multiple of 8 and a size below 8; their greatest common divisor is the size's lowest bit.
  const std::size_t unit_bytes =
      item_bytes >= word_bytes ? item_bytes : word_bytes * (item_bytes / (item_bytes & -item_bytes));
  return {unit_bytes, payload_bytes / unit_bytes, payload_bytes % unit_bytes};
}

// One word of each unit. The last column may begin early in order to end with the unit; then only its upper bits are
// its own.
struct column {
  std::size_t offset;
  std::uint64_t own_bits;

  column(const shape& s, std::size_t index) noexcept
      : offset(std::min(index * word_bytes, s.unit_bytes - word_bytes)),
        own_bits(~std::uint64_t{0} << 8 * (index * word_bytes - offset)) {}

  std::uint64_t of(const std::byte* bytes_of_a_unit) const noexcept {
    return load_word(bytes_of_a_unit + offset) & own_bits;
  }
};

std::size_t stream_bytes(std::size_t n, std::size_t width) noexcept { return (n * width + 63) / 64 * word_bytes; }

// The size of a body. `differing(c)` returns the bits of column c in which units differ.
template <class Differing>
std::size_t body_bytes(const shape& s, Differing&& differing) noexcept {
  std::size_t bytes = 2 * s.unit_bytes + s.left_over_bytes;
  for (std::size_t i = 0; i < s.n_columns(); ++i) {
    bytes += stream_bytes(s.n_units, static_cast<std::size_t>(std::popcount(differing(column(s, i)))));
  }
  return bytes;
}

void scan_bytes(const std::byte* from, std::size_t n, std::byte* all_and, std::byte* all_or) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    all_and[i] &= from[i];
    all_or[i] |= from[i];
  }
}

// For units smaller than the piece that a kernel takes: several at a time.
void scan_small(const kernels& k, const std::byte* first, std::size_t unit_bytes, std::size_t n, std::byte* all_and,
                std::byte* all_or) noexcept {
  const std::size_t n_together = (lanes_bytes + unit_bytes - 1) / unit_bytes;
  const std::size_t bytes = n_together * unit_bytes;  // less than two pieces
  std::byte ands[2 * lanes_bytes];
  std::byte ors[2 * lanes_bytes];
  if (const std::size_t n_times = n / n_together; n_times > 0) {
    std::memcpy(ands, first, bytes);
    std::memcpy(ors, first, bytes);
    k.scan(first, bytes, n_times, ands, ors);
    if (const std::size_t rest = bytes - lanes_bytes; rest > 0) {
      k.scan(first + rest, bytes, n_times, ands + rest, ors + rest);
    }
    for (std::size_t at = 0; at < bytes; at += unit_bytes) {
      for (std::size_t i = 0; i < unit_bytes; ++i) {
        all_and[i] &= ands[at + i];
        all_or[i] |= ors[at + i];
      }
    }
    first += n_times * bytes;
    n -= n_times * n_together;
  }
  for (; n > 0; --n, first += unit_bytes) scan_bytes(first, unit_bytes, all_and, all_or);
}

void scan(const kernels& k, const std::byte* first, std::size_t unit_bytes, std::size_t n, std::byte* all_and,
          std::byte* all_or) noexcept {
  if (unit_bytes < lanes_bytes) return scan_small(k, first, unit_bytes, n, all_and, all_or);
  for (std::size_t offset = 0; offset < unit_bytes; offset += lanes_bytes) {
    const std::size_t at = std::min(offset, unit_bytes - lanes_bytes);  // overlapping bytes do no harm
    k.scan(first + at, unit_bytes, n, all_and + at, all_or + at);
  }
}

// Packs values that do not fill a block, without lanes; 0 < width < 64.
std::byte* pack_rest(const std::uint64_t* values, std::size_t n, unsigned width, std::byte* out) noexcept {
  std::uint64_t word = 0;
  unsigned n_filled = 0;
  for (std::size_t i = 0; i < n; ++i) {
    word |= values[i] << n_filled;
    n_filled += width;
    if (n_filled < 64) continue;
    store_word(out, word);
    out += word_bytes;
    n_filled -= 64;
    word = values[i] >> (width - n_filled);
  }
  if (n_filled > 0) {
    store_word(out, word);
    out += word_bytes;
  }
  return out;
}

void unpack_rest(const std::byte* in, std::size_t n, unsigned width, std::uint64_t* values) noexcept {
  std::uint64_t word = 0;
  unsigned n_used = 64;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t value = word >> 1 >> (n_used - 1);  // n_used may be 64 but is never 0
    n_used += width;
    if (n_used > 64) {
      word = load_word(in);
      in += word_bytes;
      n_used -= 64;
      value |= word << (width - n_used);
    }
    values[i] = value & low_bits(width);
  }
}

std::byte* encode_column(const kernels& k, const std::byte* first, const shape& s, std::uint64_t mask,
                         std::byte* out) noexcept {
  const auto width = static_cast<unsigned>(std::popcount(mask));
  if (width == 0) return out;
  std::uint64_t values[block_items];
  for (std::size_t done = 0; done < s.n_units; done += block_items) {
    const std::size_t n = std::min(block_items, s.n_units - done);
    k.extract(first + done * s.unit_bytes, s.unit_bytes, n, mask, values);
    if (width == 64) {
      std::memcpy(out, values, n * word_bytes);
      out += n * word_bytes;
    } else if (n == block_items) {
      k.pack(values, width, out);
      out += width * lanes_bytes;
    } else {
      out = pack_rest(values, n, width, out);
    }
  }
  return out;
}

void decode_column(const kernels& k, const std::byte* in, const shape& s, std::uint64_t mask, std::uint64_t constant,
                   std::byte* first) noexcept {
  const auto width = static_cast<unsigned>(std::popcount(mask));
  std::uint64_t values[block_items] = {};
  for (std::size_t done = 0; done < s.n_units; done += block_items) {
    const std::size_t n = std::min(block_items, s.n_units - done);
    if (width == 64) {
      std::memcpy(values, in, n * word_bytes);
      in += n * word_bytes;
    } else if (width > 0 && n == block_items) {
      k.unpack(in, width, values);
      in += width * lanes_bytes;
    } else if (width > 0) {
      unpack_rest(in, n, width, values);
    }
    k.deposit(values, n, mask, constant, first + done * s.unit_bytes, s.unit_bytes);
  }
}

}  // namespace

squeeze_codec::squeeze_codec(instruction_set use) noexcept : kernels_(kernels_of(use)) {}

std::size_t squeeze_codec::encode(std::span<const std::byte> items, std::size_t item_bytes,
                                  std::span<std::byte> out) noexcept {
  if (item_bytes == 0) return encode_words(items, out);
  if (item_bytes > items.size()) return 0;
  const shape s = shape_of(items.size(), item_bytes);
  if (s.n_units < n_units_min || 2 * s.unit_bytes + s.left_over_bytes > out.size()) return 0;

  // The bytes for mask and value serve as accumulators first.
  std::byte* const mask = out.data();
  std::byte* const value = mask + s.unit_bytes;
  std::memcpy(mask, items.data(), s.unit_bytes);
  std::memcpy(value, items.data(), s.unit_bytes);
  const auto differing = [&](const column& c) { return c.of(mask) ^ c.of(value); };
  const std::size_t n_first = std::min(s.n_units, n_sampled);
  scan(kernels_, items.data(), s.unit_bytes, n_first, value, mask);
  // More units can only add differing bits.
  if (body_bytes(s, differing) > out.size()) return 0;
  scan(kernels_, items.data() + n_first * s.unit_bytes, s.unit_bytes, s.n_units - n_first, value, mask);
  const std::size_t bytes = body_bytes(s, differing);
  if (bytes > out.size()) return 0;
  for (std::size_t i = 0; i < s.unit_bytes; ++i) mask[i] ^= value[i];

  std::byte* at = value + s.unit_bytes;
  for (std::size_t i = s.n_columns(); i-- > 0;) {
    const column c(s, i);
    at = encode_column(kernels_, items.data() + c.offset, s, c.of(mask), at);
  }
  std::memcpy(at, items.data() + items.size() - s.left_over_bytes, s.left_over_bytes);
  return bytes;
}

bool squeeze_codec::decode(std::span<const std::byte> body, std::size_t item_bytes,
                           std::span<std::byte> items) noexcept {
  if (item_bytes == 0) return decode_words(body, items);
  if (item_bytes > items.size()) return false;
  const shape s = shape_of(items.size(), item_bytes);
  if (s.n_units < n_units_min || 2 * s.unit_bytes > body.size()) return false;
  const std::byte* const mask = body.data();
  const std::byte* const value = mask + s.unit_bytes;
  // This ensures that every stream lies within the body.
  if (body_bytes(s, [&](const column& c) { return c.of(mask); }) != body.size()) return false;

  // Last column first: if it begins early, the column before overwrites those bits.
  const std::byte* at = value + s.unit_bytes;
  for (std::size_t i = s.n_columns(); i-- > 0;) {
    const column c(s, i);
    decode_column(kernels_, at, s, c.of(mask), c.of(value), items.data() + c.offset);
    at += stream_bytes(s.n_units, static_cast<std::size_t>(std::popcount(c.of(mask))));
  }
  std::memcpy(items.data() + items.size() - s.left_over_bytes, at, s.left_over_bytes);
  return true;
}

}  // namespace shoal::internal
