/// What the codec tests share: payloads of many kinds from a seed, and round trips that watch every edge.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/codec/codec.hpp"

namespace shoal::codec_test {

using bytes = std::vector<std::byte>;

inline std::vector<internal::instruction_set> supported_sets() {
  std::vector<internal::instruction_set> sets;
  for (const internal::instruction_set set : internal::all_instruction_sets) {
    if (is_supported(set)) sets.push_back(set);
  }
  return sets;
}

inline bytes random_bytes(random_engine& random, std::size_t n) {
  bytes result(n);
  for (std::byte& b : result) b = static_cast<std::byte>(random());
  return result;
}

/// `n_items` items in which each bit varies with probability `density`, rather in stretches than alone.
inline bytes items_with_constant_bits(random_engine& random, std::size_t item_bytes, std::size_t n_items,
                                      double density) {
  bytes mask(item_bytes);
  bool varies = random.chance(density);
  const double persistence = random.uniform();
  for (std::size_t bit = 0; bit < 8 * item_bytes; ++bit) {
    if (!random.chance(persistence)) varies = random.chance(density);
    if (varies) mask[bit / 8] |= std::byte{1} << bit % 8;
  }
  const bytes constant = random_bytes(random, item_bytes);
  bytes items = random_bytes(random, item_bytes * n_items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::byte m = mask[i % item_bytes];
    items[i] = (items[i] & m) | (constant[i % item_bytes] & ~m);
  }
  return items;
}

/// Encodes into exactly `limit` bytes of memory with a fence behind them. 0 bytes: it did not pay.
inline bytes encode_fenced(codec& with, std::span<const std::byte> items, std::size_t item_bytes, std::size_t limit) {
  constexpr auto fence = std::byte{0xa5};
  bytes out(limit + 64, fence);
  const std::size_t n = with.encode(items, item_bytes, std::span(out).first(limit));
  EXPECT_LE(n, limit);
  for (std::size_t i = limit; i < out.size(); ++i) EXPECT_EQ(out[i], fence) << "wrote behind its room";
  out.resize(n);
  out.shrink_to_fit();  // so that the address sanitizer detects a read beyond it
  return out;
}

/// Decodes into exactly n_bytes of memory; nothing if the codec refuses.
inline std::optional<bytes> decode_exactly(codec& with, std::span<const std::byte> body, std::size_t item_bytes,
                                           std::size_t n_bytes) {
  const bytes exact(body.begin(), body.end());
  bytes items(n_bytes, std::byte{0x5a});
  if (!with.decode(exact, item_bytes, items)) return std::nullopt;
  return items;
}

/// Encodes and decodes with each of `codecs`, which must agree. Returns the size of the body; 0: none.
template <class Codecs>
std::size_t expect_round_trip(Codecs& codecs, std::span<const std::byte> items, std::size_t item_bytes,
                              std::size_t limit) {
  const bytes body = encode_fenced(codecs[0], items, item_bytes, limit);
  for (std::size_t i = 1; i < codecs.size(); ++i) {
    EXPECT_EQ(encode_fenced(codecs[i], items, item_bytes, limit), body) << "implementation " << i;
  }
  if (body.empty()) return 0;
  for (codec& each : codecs) {
    const auto decoded = decode_exactly(each, body, item_bytes, items.size());
    EXPECT_TRUE(decoded.has_value());
    EXPECT_TRUE(decoded && std::memcmp(decoded->data(), items.data(), items.size()) == 0);
  }
  return body.size();
}

/// One codec of a kind for each instruction set.
template <class Codec>
std::vector<Codec> one_for_each_set() {
  std::vector<Codec> codecs;
  for (const internal::instruction_set set : supported_sets()) codecs.emplace_back(set);
  return codecs;
}

}  // namespace shoal::codec_test
