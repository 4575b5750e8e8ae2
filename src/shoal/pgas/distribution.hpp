/// Distributes n global indices over P PEs, cyclically or in blocks.
///
/// One type for both layouts, chosen at run time. In both, an index is quotient * divisor + remainder; the layouts
/// differ only in which of the two is the owner. That choice is a select, not a branch, and costs some 0.1 ns, so
/// matrices, readers and kernels need not be templates of their distribution. The divisor is known in advance, so the
/// division is a multiplication and a shift.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

namespace internal {

/// Divides by a number that is known in advance: a multiplication and a shift, exact for 0 <= g < 2^63 (Granlund and
/// Montgomery, "Division by invariant integers", PLDI 1994).
///
/// With t = ceil(log2 d) and m = ceil(2^(63+t) / d) < 2^64, the error m * d - 2^(63+t) is below d <= 2^t. So g * m /
/// 2^(63+t) exceeds g / d by less than (g / 2^63) / d < 1 / d, which is too little to reach the next integer.
class reciprocal {
public:
  constexpr explicit reciprocal(std::int64_t divisor) noexcept {
    SHOAL_EXPECT(divisor > 0);
    const auto d = static_cast<std::uint64_t>(divisor);
    shift_ = static_cast<std::uint32_t>(std::bit_width(d - 1));
    multiplier_ = static_cast<std::uint64_t>(((wide{1} << (63 + shift_)) + d - 1) / d);
  }

  constexpr std::int64_t quotient(std::int64_t g) const noexcept {
    const wide product = wide{static_cast<std::uint64_t>(g) * 2} * multiplier_;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(product >> 64) >> shift_);
  }

  friend constexpr bool operator==(const reciprocal&, const reciprocal&) = default;

private:
  __extension__ using wide = unsigned __int128;

  std::uint64_t multiplier_ = 0;
  std::uint32_t shift_ = 0;
};

}  // namespace internal

/// How indices are distributed.
enum class layout : std::uint8_t {
  cyclic,  // index g on PE g % P: spreads regions that are dense; the field's usual choice
  block,  // the first ceil(n / P) indices on PE 0, and so on: neighbours stay together
};

/// An index as its owner's number and its number there.
struct place {
  pe_id pe = 0;
  std::int64_t local = 0;

  friend constexpr bool operator==(const place&, const place&) = default;
};

/// The indices 0 <= g < n, each owned by one PE, under the number `local` there. A value: cheap to copy, the same on
/// every PE. All functions are local and do not wait; arguments out of range are contract violations.
class distribution {
public:
  /// No indices, on one PE.
  constexpr distribution() noexcept : distribution(layout::cyclic, 0, 1) {}

  constexpr distribution(layout kind, std::int64_t n, pe_id n_pes) noexcept
      : kind_(kind),
        n_(n),
        n_pes_(n_pes),
        divisor_(kind == layout::cyclic ? n_pes : std::max<std::int64_t>(1, n / n_pes + (n % n_pes != 0))),
        reciprocal_(divisor_) {
    SHOAL_EXPECT(n >= 0 && n_pes > 0);
  }

  constexpr layout kind() const noexcept { return kind_; }
  constexpr std::int64_t n() const noexcept { return n_; }
  constexpr pe_id n_pes() const noexcept { return n_pes_; }

  /// Owner and local index for the cost of one division.
  constexpr place place_of(std::int64_t g) const noexcept {
    SHOAL_EXPECT(g >= 0 && g < n_);
    const std::int64_t quotient = reciprocal_.quotient(g);
    const std::int64_t remainder = g - quotient * divisor_;
    return kind_ == layout::cyclic ? place{remainder, quotient} : place{quotient, remainder};
  }

  constexpr pe_id owner(std::int64_t g) const noexcept { return place_of(g).pe; }
  constexpr std::int64_t local(std::int64_t g) const noexcept { return place_of(g).local; }

  constexpr std::int64_t global(pe_id pe, std::int64_t local) const noexcept {
    SHOAL_EXPECT(pe >= 0 && pe < n_pes_ && local >= 0 && local < n_local(pe));
    return kind_ == layout::cyclic ? local * divisor_ + pe : pe * divisor_ + local;
  }

  /// How many indices PE `pe` owns. At most ceil(n / P); under `block` the last PEs may own none.
  constexpr std::int64_t n_local(pe_id pe) const noexcept {
    SHOAL_EXPECT(pe >= 0 && pe < n_pes_);
    if (kind_ == layout::cyclic) return n_ / n_pes_ + (pe < n_ % n_pes_);
    // pe * divisor_ may exceed n, but by less than n + P, so it cannot overflow.
    return std::clamp<std::int64_t>(n_ - pe * divisor_, 0, divisor_);
  }

  friend constexpr bool operator==(const distribution&, const distribution&) = default;

private:
  layout kind_;
  std::int64_t n_;
  pe_id n_pes_;
  std::int64_t divisor_;  // g = quotient * divisor_ + remainder; one is the local index, the other the PE
  internal::reciprocal reciprocal_;
};

}  // namespace shoal
