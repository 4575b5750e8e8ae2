// The portable kernels, and the choice among all kernels.
#include "shoal/codec/internal/kernels.hpp"

namespace shoal::internal {
namespace {

void scan(const std::byte* first, std::size_t stride, std::size_t n, std::byte* all_and, std::byte* all_or) noexcept {
  // Lane by lane: with arrays of lanes, GCC 12 keeps them in memory and takes three times as long.
  for (std::size_t at = 0; at < lanes_bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t ands = load_word(all_and + at);
    std::uint64_t ors = load_word(all_or + at);
    const std::byte* from = first + at;
    for (std::size_t i = 0; i < n; ++i, from += stride) {
      const std::uint64_t word = load_word(from);
      ands &= word;
      ors |= word;
    }
    store_word(all_and + at, ands);
    store_word(all_or + at, ors);
  }
}

// How the bits under a mask move together at the low end without PEXT. A bit with z gaps below it (counted from the
// mask's lowest bit) must move down by z. In one step, all bits whose z has binary digit d set move by 2^d, digits in
// ascending order. Two bits never collide: with z <= z' the upper one starts at least z' - z + 1 places above, and by
// then has moved at most z' - z places further.
struct moves {
  unsigned shift = 0;
  std::uint64_t low_mask = 0;  // the mask, moved down to bit 0
  std::uint64_t step[6] = {};  // the bits that move by 2^d, before that step
  unsigned n_steps = 0;  // the other steps are empty

  explicit moves(std::uint64_t mask) noexcept {
    if (mask == 0) return;
    shift = static_cast<unsigned>(std::countr_zero(mask));
    low_mask = mask >> shift;
    unsigned n_gaps = 0;
    for (unsigned bit = 0; low_mask >> bit > 1; ++bit) {
      if ((low_mask >> bit & 1) == 0) ++n_gaps;
      if ((low_mask >> (bit + 1) & 1) == 0) continue;
      unsigned at = bit + 1;
      for (unsigned digit = 0; n_gaps >> digit != 0; ++digit) {
        if ((n_gaps >> digit & 1) == 0) continue;
        step[digit] |= std::uint64_t{1} << at;
        at -= 1u << digit;
      }
    }
    n_steps = static_cast<unsigned>(std::bit_width(n_gaps));
  }
};

void pack(const std::uint64_t* values, unsigned width, std::byte* out) noexcept {
  std::uint64_t words[n_lanes] = {};
  unsigned n_filled = 0;
  for (std::size_t row = 0; row < n_rows; ++row, values += n_lanes) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) words[lane] |= values[lane] << n_filled;
    n_filled += width;
    if (n_filled < 64) continue;
    std::memcpy(out, words, sizeof words);
    out += sizeof words;
    n_filled -= 64;
    // The rest that did not fit. If a value fit, this shifts out all of it.
    for (std::size_t lane = 0; lane < n_lanes; ++lane) words[lane] = values[lane] >> (width - n_filled);
  }
}

void unpack(const std::byte* in, unsigned width, std::uint64_t* values) noexcept {
  const std::uint64_t mask = low_bits(width);
  std::uint64_t words[n_lanes] = {};
  unsigned n_used = 64;
  for (std::size_t row = 0; row < n_rows; ++row, values += n_lanes) {
    // In two shifts, because n_used may be 64 (but is never 0).
    for (std::size_t lane = 0; lane < n_lanes; ++lane) values[lane] = words[lane] >> 1 >> (n_used - 1);
    n_used += width;
    if (n_used > 64) {
      std::memcpy(words, in, sizeof words);
      in += sizeof words;
      n_used -= 64;
      for (std::size_t lane = 0; lane < n_lanes; ++lane) values[lane] |= words[lane] << (width - n_used);
    }
    for (std::size_t lane = 0; lane < n_lanes; ++lane) values[lane] &= mask;
  }
}

constexpr kernels portable_kernels = {scan, extract_portably, deposit_portably, pack, unpack};

}  // namespace

void extract_portably(const std::byte* first, std::size_t stride, std::size_t n, std::uint64_t mask,
                      std::uint64_t* values) noexcept {
  const moves m(mask);
  for (std::size_t i = 0; i < n; ++i) values[i] = load_word(first + i * stride) >> m.shift & m.low_mask;
  for (unsigned digit = 0; digit < m.n_steps; ++digit) {
    const std::uint64_t moving = m.step[digit];
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t moved = values[i] & moving;
      values[i] = (values[i] ^ moved) | moved >> (1u << digit);
    }
  }
}

void deposit_portably(const std::uint64_t* values, std::size_t n, std::uint64_t mask, std::uint64_t constant,
                      std::byte* first, std::size_t stride) noexcept {
  const moves m(mask);
  if (m.n_steps == 0) {
    for (std::size_t i = 0; i < n; ++i, first += stride) store_word(first, constant | values[i] << m.shift);
    return;
  }
  std::uint64_t spread[block_items];
  std::memcpy(spread, values, n * sizeof *values);
  for (unsigned digit = m.n_steps; digit-- > 0;) {
    const std::uint64_t moving = m.step[digit];
    const unsigned by = 1u << digit;
    for (std::size_t i = 0; i < n; ++i) {
      spread[i] = (spread[i] & ~(moving >> by)) | (spread[i] << by & moving);
    }
  }
  for (std::size_t i = 0; i < n; ++i, first += stride) store_word(first, constant | spread[i] << m.shift);
}

const kernels& kernels_of(instruction_set set) noexcept {
  const kernels* const vectors =
      set == instruction_set::portable ? nullptr : avx2_kernels(set == instruction_set::avx2_bmi2);
  return vectors == nullptr ? portable_kernels : *vectors;
}

std::string_view to_text(instruction_set set) noexcept {
  switch (set) {
    case instruction_set::portable: return "portable";
    case instruction_set::avx2: return "avx2";
    case instruction_set::avx2_bmi2: return "avx2_bmi2";
  }
  return "?";
}

}  // namespace shoal::internal
