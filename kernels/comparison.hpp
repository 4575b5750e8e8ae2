/// Compares what a variant computed with the expected answer, on all PEs at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"

namespace shoal::kernels {

/// Collects the differences of one PE.
class comparison {
public:
  void compare(std::uint64_t place, std::int64_t found, std::int64_t expected) {
    if (found != expected && n_different_++ == 0) first_ = {place, found, expected};
  }

  /// Collective: whether no PE found a difference. On PE 0, `why` becomes "10 counts on each of 2 PEs equal to
  /// <method>", or the place of the first difference. `what` is a word such as "count".
  bool agree(world& w, std::string_view what, std::string_view method, std::string& why) const;

private:
  struct difference {
    std::uint64_t place = 0;
    std::int64_t found = 0;
    std::int64_t expected = 0;
  };
  std::uint64_t n_different_ = 0;
  difference first_;
};

}  // namespace shoal::kernels
