/// Where the elements of dealt arrays lie: element i is element i / P of PE i % P.
#pragma once

#include <cstdint>

#include "shoal/compat/internal/process_world.hpp"

namespace shoal::internal::compat {

class dealing {
public:
  dealing()
      : n_pes_(compat::n_pes()),
        my_pe_(compat::my_pe()),
        reciprocal_(n_pes_ > 1 ? UINT64_MAX / static_cast<std::uint64_t>(n_pes_) + 1 : 0),
        n_by_reciprocal_(n_pes_ > 1 ? std::uint64_t{1} << 32 : 0) {}

  struct place {
    std::int64_t pe;
    std::int64_t index;
  };

  /// Small indices need no division: the rounding error of the reciprocal, times 2^32, stays below 1 / P.
  place of(std::int64_t i) const {
    std::int64_t index = 0;
    if (static_cast<std::uint64_t>(i) < n_by_reciprocal_) {
      index = static_cast<std::int64_t>((static_cast<wide>(reciprocal_) * static_cast<std::uint64_t>(i)) >> 64);
    } else {
      index = i / n_pes_;
    }
    return {i - index * n_pes_, index};
  }

  std::int64_t global(std::int64_t index) const { return index * n_pes_ + my_pe_; }

  /// How many of `n` elements this PE has.
  std::int64_t n_here(std::int64_t n) const { return n / n_pes_ + (my_pe_ < n % n_pes_ ? 1 : 0); }

  /// The most that a PE has.
  std::int64_t n_most(std::int64_t n) const { return n / n_pes_ + (n % n_pes_ != 0 ? 1 : 0); }

  std::int64_t n_pes() const { return n_pes_; }
  std::int64_t my_pe() const { return my_pe_; }

private:
  __extension__ using wide = unsigned __int128;

  std::int64_t n_pes_;
  std::int64_t my_pe_;
  std::uint64_t reciprocal_;
  std::uint64_t n_by_reciprocal_;
};

}  // namespace shoal::internal::compat
