/// What a solver's loop does at best: a line of edges that stays in cache.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "applications/shallow_water/edge_loop.hpp"

namespace shoal::swe {

/// Edges between cells of 10 to 15 m of water, that flow at up to 1 m/s over a bed of 0 to 1 m: as many as a row of the
/// patches of "An Actor Library for MPI" (2019) has.
template <class Real>
class cached_edges {
public:
  static constexpr std::size_t n = 250;

  cached_edges() : numbers_(15 * n) {
    std::minstd_rand random;
    const auto part = [&] { return static_cast<Real>(random() % 1000) / 1000; };
    for (std::size_t k = 0; k < n; ++k) {
      for (const std::size_t side : {std::size_t(0), std::size_t(4)}) {
        line(side)[k] = 10 + 5 * part();
        line(side + 1)[k] = 10 * part();
        line(side + 2)[k] = 10 * part();
        line(side + 3)[k] = part();
      }
    }
  }

  void solve(edge_loop<Real> loop) {
    loop(n, {line(0), line(1), line(2), line(3)}, {line(4), line(5), line(6), line(7)}, {line(8), line(9), line(10)},
         {line(11), line(12), line(13)}, line(14), {});
  }

  bool operator==(const cached_edges&) const = default;

private:
  Real* line(std::size_t k) { return numbers_.data() + k * n; }

  std::vector<Real> numbers_;
};

}  // namespace shoal::swe
