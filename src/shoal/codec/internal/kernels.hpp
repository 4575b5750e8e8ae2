/// The inner loops of the codecs, as a table of functions per instruction set.
///
/// All sets compute the same results. Words are 64 bits, little-endian in memory, at any alignment.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/codec/internal/instruction_set.hpp"

namespace shoal::internal {

static_assert(std::endian::native == std::endian::little, "byte and bit order must agree in codecs");

/// Values are packed in blocks of this many, in n_lanes lanes: value i goes to lane i mod n_lanes.
inline constexpr std::size_t block_items = 256;
inline constexpr std::size_t n_lanes = 4;
inline constexpr std::size_t n_rows = block_items / n_lanes;
inline constexpr std::size_t lanes_bytes = n_lanes * sizeof(std::uint64_t);

inline std::uint64_t load_word(const std::byte* from) noexcept {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
inline void store_word(std::byte* to, std::uint64_t word) noexcept { std::memcpy(to, &word, sizeof word); }

struct kernels {
  /// Ands n pieces of lanes_bytes bytes, `stride` apart, into `all_and`, and ors them into `all_or`.
  void (*scan)(const std::byte* first, std::size_t stride, std::size_t n, std::byte* all_and,
               std::byte* all_or) noexcept;

  /// Extracts from n <= block_items words, `stride` bytes apart, the bits under `mask`, moved together at the low end.
  void (*extract)(const std::byte* first, std::size_t stride, std::size_t n, std::uint64_t mask,
                  std::uint64_t* values) noexcept;

  /// The reverse: writes words of value `constant` with the values' bits spread under `mask`.
  void (*deposit)(const std::uint64_t* values, std::size_t n, std::uint64_t mask, std::uint64_t constant,
                  std::byte* first, std::size_t stride) noexcept;

  /// Packs a block of values below 2^width, 0 < width < 64, into width * lanes_bytes bytes: `width` rows with one word
  /// per lane. A lane's word is filled from its low end; values continue in the lane's next word.
  void (*pack)(const std::uint64_t* values, unsigned width, std::byte* out) noexcept;
  void (*unpack)(const std::byte* in, unsigned width, std::uint64_t* values) noexcept;
};

/// `set` must be supported.
const kernels& kernels_of(instruction_set set) noexcept;

/// The kernels with vectors, with or without PEXT and PDEP; null on other machines.
const kernels* avx2_kernels(bool with_bmi2) noexcept;

/// For processors without fast PEXT and PDEP.
void extract_portably(const std::byte* first, std::size_t stride, std::size_t n, std::uint64_t mask,
                      std::uint64_t* values) noexcept;
void deposit_portably(const std::uint64_t* values, std::size_t n, std::uint64_t mask, std::uint64_t constant,
                      std::byte* first, std::size_t stride) noexcept;

/// 2^width - 1 for 0 <= width <= 64.
constexpr std::uint64_t low_bits(unsigned width) noexcept { return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width); }

}  // namespace shoal::internal
