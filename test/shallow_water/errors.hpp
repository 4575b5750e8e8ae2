// Errors of runs on finer and finer grids.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "applications/shallow_water/serial_run.hpp"

namespace shoal::swe::test {

// The sum of |h - exact h| over that of exact h.
template <class Real, class Exact>
double error_of(const serial_run<Real>& of, Exact exact_h) {
  double error = 0;
  double all = 0;
  for (std::size_t j = 0; j < of.whole().n_y; ++j) {
    for (std::size_t i = 0; i < of.whole().n_x; ++i) {
      const double exact = exact_h(of.whole().x_of(i), of.whole().y_of(j));
      error += std::abs(static_cast<double>(of.cell(i, j).h) - exact);
      all += exact;
    }
  }
  return error / all;
}

template <class Real, class Exact>
std::vector<double> errors_of(const scenario& from, const std::vector<grid_size>& grids, solver_kind kind, double end,
                              Exact exact_h) {
  std::vector<double> errors;
  for (const grid_size& grid : grids) {
    serial_run<Real> run(from, grid, {1, 1}, kind);
    run.run_with_adaptive_step(end);
    errors.push_back(error_of(run, exact_h));
  }
  std::printf("%s, %s, %s:", from.name.c_str(), to_text(kind), sizeof(Real) == 4 ? "float" : "double");
  for (std::size_t k = 0; k < errors.size(); ++k) {
    std::printf(" %zu cells %.2e", grids[k].x, errors[k]);
    if (k > 0) std::printf(" (slope %.2f)", std::log2(errors[k - 1] / errors[k]));
  }
  std::printf("\n");
  return errors;
}

template <class Real>
std::vector<double> errors_of(const scenario& from, const std::vector<grid_size>& grids, solver_kind kind) {
  return errors_of<Real>(from, grids, kind, from.end_time,
                         [&](double x, double y) { return from.exact(x, y, from.end_time).h; });
}

// The order of convergence from each grid to the next, whose cells are half as wide.
inline void expect_slopes(const std::vector<double>& errors, double least, double most) {
  for (std::size_t k = 1; k < errors.size(); ++k) {
    const double slope = std::log2(errors[k - 1] / errors[k]);
    EXPECT_GT(slope, least);
    EXPECT_LT(slope, most);
  }
}

}  // namespace shoal::swe::test
