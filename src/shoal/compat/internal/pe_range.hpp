/// PEs at equal distances: what an active set or a team of OpenSHMEM is.
#pragma once

#include <cstdint>

#include "shoal/base/types.hpp"

namespace shoal::internal::compat {

/// PEs start, start + stride, …, `size` of them. A PE's place in this order is its rank.
struct pe_range {
  pe_id start = 0;
  pe_id stride = 1;
  pe_id size = 0;

  pe_id at(pe_id rank) const noexcept { return start + rank * stride; }

  /// The stride may be negative.
  pe_id least() const noexcept { return stride < 0 ? at(size - 1) : start; }

  /// -1: PE `pe` is not a member.
  pe_id rank_of(pe_id pe) const noexcept {
    if (size == 1) return pe == start ? 0 : -1;
    const pe_id rank = (pe - start) / stride;
    return rank >= 0 && rank < size && at(rank) == pe ? rank : -1;
  }

  /// Whether all members are PEs of a job of `n_pes`.
  bool is_within(pe_id n_pes) const noexcept {
    const auto in = [n_pes](pe_id pe) { return pe >= 0 && pe < n_pes; };
    return size >= 1 && (size == 1 || stride != 0) && in(start) && in(at(size - 1));
  }

  bool is_all(pe_id n_pes) const noexcept { return start == 0 && size == n_pes && (stride == 1 || size == 1); }
};

}  // namespace shoal::internal::compat
