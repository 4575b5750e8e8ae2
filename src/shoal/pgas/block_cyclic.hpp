/// Distributes n global indices over P PEs in blocks of one size, which are dealt in turn.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/types.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

/// As `distribution`, but with the first `block_size` indices on PE 0, the next ones on PE 1, and so on; after PE P - 1
/// comes PE 0 again. A type of its own: it takes two divisions, which others need not pay for.
class block_cyclic {
public:
  /// Throws setup_error if an argument is out of range: n below 0, n_pes or block_size below 1.
  constexpr block_cyclic(std::int64_t n, pe_id n_pes, std::int64_t block_size)
      : n_(n),
        block_size_(checked(n, n_pes, block_size)),
        by_block_size_(block_size),
        blocks_(layout::cyclic, n / block_size + (n % block_size != 0), n_pes) {}

  constexpr std::int64_t n() const noexcept { return n_; }
  constexpr pe_id n_pes() const noexcept { return blocks_.n_pes(); }
  constexpr std::int64_t block_size() const noexcept { return block_size_; }

  constexpr place place_of(std::int64_t g) const noexcept {
    SHOAL_EXPECT(g >= 0 && g < n_);
    const std::int64_t block = by_block_size_.quotient(g);
    const place of_block = blocks_.place_of(block);
    return {of_block.pe, of_block.local * block_size_ + g - block * block_size_};
  }
  constexpr pe_id owner(std::int64_t g) const noexcept { return place_of(g).pe; }
  constexpr std::int64_t local(std::int64_t g) const noexcept { return place_of(g).local; }

  constexpr std::int64_t global(pe_id pe, std::int64_t local) const noexcept {
    SHOAL_EXPECT(local >= 0 && local < n_local(pe));
    const std::int64_t its_block = by_block_size_.quotient(local);
    return blocks_.global(pe, its_block) * block_size_ + local - its_block * block_size_;
  }

  /// How many indices PE `pe` owns. At most one block more than any other PE.
  constexpr std::int64_t n_local(pe_id pe) const noexcept {
    const std::int64_t n_last = n_ % block_size_;  // in the last block, if it is not full
    const bool has_last = n_last != 0 && blocks_.owner(blocks_.n() - 1) == pe;
    return has_last ? (blocks_.n_local(pe) - 1) * block_size_ + n_last : blocks_.n_local(pe) * block_size_;
  }

  friend constexpr bool operator==(const block_cyclic&, const block_cyclic&) = default;

private:
  static constexpr std::int64_t checked(std::int64_t n, pe_id n_pes, std::int64_t block_size) {
    if (n >= 0 && n_pes > 0 && block_size > 0) return block_size;
    throw setup_error("a block-cyclic distribution of " + std::to_string(n) + " indices over " + std::to_string(n_pes) +
                      " PEs in blocks of " + std::to_string(block_size) +
                      "; give at least 0 indices, 1 PE and 1 index a block");
  }

  std::int64_t n_;
  std::int64_t block_size_;
  internal::reciprocal by_block_size_;
  distribution blocks_;
};

}  // namespace shoal
