// Goal: every kernel of every instruction set computes the same as the obvious loop over bits.
#include "shoal/codec/internal/kernels.hpp"

#include "test/codec/payloads.hpp"

namespace shoal::internal {
namespace {

using namespace shoal::codec_test;

std::uint64_t extracted(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t result = 0;
  unsigned n = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((mask >> bit & 1) != 0) result |= (word >> bit & 1) << n++;
  }
  return result;
}

std::vector<std::uint64_t> masks(random_engine& random) {
  std::vector<std::uint64_t> result = {0,
                                       1,
                                       ~std::uint64_t{0},
                                       0x8000000000000000,
                                       0x5555555555555555,
                                       0xaaaaaaaaaaaaaaaa,
                                       0xffff0000ffff0000,
                                       0x8000000000000001};
  for (unsigned bit = 0; bit < 64; ++bit) result.push_back(low_bits(bit + 1));
  for (int i = 0; i < 200; ++i) result.push_back(random());
  for (int i = 0; i < 200; ++i) result.push_back(random() & random() & random());
  for (int i = 0; i < 200; ++i) result.push_back(random() | random() | random());
  return result;
}

TEST(kernels, extract_and_deposit_move_bits_as_the_mask_says) {
  random_engine random(1);
  for (const std::size_t stride : {8, 13, 24}) {
    for (const std::uint64_t mask : masks(random)) {
      const std::size_t n = 1 + random.below(block_items);
      const bytes words = random_bytes(random, (n - 1) * stride + 8);
      for (const instruction_set set : supported_sets()) {
        const kernels& k = kernels_of(set);
        std::vector<std::uint64_t> values(n);
        k.extract(words.data(), stride, n, mask, values.data());
        bytes back(words.size());
        k.deposit(values.data(), n, mask, ~mask & 0x0123456789abcdef, back.data(), stride);
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint64_t word = load_word(words.data() + i * stride);
          ASSERT_EQ(values[i], extracted(word, mask)) << to_text(set) << " mask " << std::hex << mask;
          ASSERT_EQ(load_word(back.data() + i * stride), (word & mask) | (~mask & 0x0123456789abcdef))
              << to_text(set) << " mask " << std::hex << mask;
        }
      }
    }
  }
}

TEST(kernels, pack_puts_each_bit_where_the_layout_says) {
  random_engine random(2);
  for (unsigned width = 1; width < 64; ++width) {
    std::vector<std::uint64_t> values(block_items);
    for (std::uint64_t& value : values) value = random() & low_bits(width);
    for (const instruction_set set : supported_sets()) {
      const kernels& k = kernels_of(set);
      bytes packed(width * lanes_bytes);
      k.pack(values.data(), width, packed.data());
      for (std::size_t i = 0; i < block_items; ++i) {
        for (unsigned bit = 0; bit < width; ++bit) {
          const std::size_t in_lane = i / n_lanes * width + bit;
          const std::size_t word = in_lane / 64 * n_lanes + i % n_lanes;
          const std::uint64_t packed_bit = load_word(packed.data() + word * 8) >> in_lane % 64 & 1;
          ASSERT_EQ(packed_bit, values[i] >> bit & 1) << to_text(set) << " width " << width;
        }
      }
      std::vector<std::uint64_t> unpacked(block_items);
      k.unpack(packed.data(), width, unpacked.data());
      ASSERT_EQ(unpacked, values) << to_text(set) << " width " << width;
    }
  }
}

TEST(kernels, scan_finds_what_all_pieces_share) {
  random_engine random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t stride = 1 + random.below(100);
    const std::size_t n = random.below(20);
    const bytes first = random_bytes(random, lanes_bytes);
    const bytes pieces = random_bytes(random, n * stride + lanes_bytes);
    bytes ands = first;
    bytes ors = first;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t b = 0; b < lanes_bytes; ++b) {
        ands[b] &= pieces[i * stride + b];
        ors[b] |= pieces[i * stride + b];
      }
    }
    for (const instruction_set set : supported_sets()) {
      bytes all_and = first;
      bytes all_or = first;
      kernels_of(set).scan(pieces.data(), stride, n, all_and.data(), all_or.data());
      EXPECT_EQ(all_and, ands) << to_text(set);
      EXPECT_EQ(all_or, ors) << to_text(set);
    }
  }
}

TEST(instruction_sets, portable_is_everywhere_and_the_best_is_supported) {
  EXPECT_TRUE(is_supported(instruction_set::portable));
  EXPECT_TRUE(is_supported(best_instruction_set()));
}

}  // namespace
}  // namespace shoal::internal
