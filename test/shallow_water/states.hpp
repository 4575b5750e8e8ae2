// States of cells for tests of solvers, and one edge at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>

#include "applications/shallow_water/edge_loop.hpp"
#include "applications/shallow_water/riemann/edge.hpp"

namespace shoal::swe::test {

template <class Real>
using cell = riemann::cell<Real>;

template <class Real>
riemann::edge_updates<Real> solve_edge(solver_kind kind, const cell<Real>& left, const cell<Real>& right,
                                       const constants<Real>& given = {},
                                       instruction_set set = best_instruction_set()) {
  riemann::edge_updates<Real> found = {};
  edge_loop_of<Real>(kind, set)(1, {&left.h, &left.normal, &left.along, &left.bed},
                                {&right.h, &right.normal, &right.along, &right.bed},
                                {&found.left.h, &found.left.normal, &found.left.along},
                                {&found.right.h, &found.right.normal, &found.right.along}, &found.fastest, given);
  return found;
}

// Depths between 0 and 10 m, of which some are dry or nearly so; flows up to twice as fast as waves; beds up to 5 m.
template <class Real>
class random_cells {
public:
  explicit random_cells(std::uint64_t seed) : random_(seed) {}

  Real between(double least, double most) {
    return static_cast<Real>(std::uniform_real_distribution<double>(least, most)(random_));
  }

  cell<Real> wet_on_flat_bed() {
    const Real h = between(0.1, 10);
    const Real c = std::sqrt(Real(standard_gravity) * h);
    return {h, between(-2, 2) * c * h, between(-2, 2) * c * h, 0};
  }

  cell<Real> any() {
    cell<Real> made = wet_on_flat_bed();
    const int kind = std::uniform_int_distribution<int>(0, 9)(random_);
    if (kind == 0) made.h = made.normal = made.along = 0;
    if (kind == 1) {  // a film that counts as dry
      made.h = Real(0.005);
      made.normal = made.along = 0;
    }
    if (kind == 2) {  // hardly wet
      made.normal *= Real(0.02) / made.h;
      made.along *= Real(0.02) / made.h;
      made.h = Real(0.02);
    }
    made.bed = between(-5, 5);
    return made;
  }

private:
  std::mt19937_64 random_;
};

template <class Real>
std::string text_of(const cell<Real>& of) {
  std::ostringstream text;
  text << "h=" << of.h << " normal=" << of.normal << " along=" << of.along << " bed=" << of.bed;
  return text.str();
}

template <class Real>
std::string text_of(const cell<Real>& left, const cell<Real>& right) {
  return text_of(left) + " | " + text_of(right);
}

template <class Real>
bool same(const riemann::net_update<Real>& a, const riemann::net_update<Real>& b) {
  return a.h == b.h && a.normal == b.normal && a.along == b.along;
}

}  // namespace shoal::swe::test
