/// Loops over lines of edges, the part of the program that takes the time.
#pragma once

#include <cstddef>

#include "applications/shallow_water/constants.hpp"

namespace shoal::swe {

/// Which instructions the loops may use. It affects their speed, never their results.
enum class instruction_set {
  portable,  // what every processor of the architecture has
  avx2,
};

/// "portable", "avx2".
constexpr const char* to_text(instruction_set set) { return set == instruction_set::avx2 ? "avx2" : "portable"; }

/// Whether this machine has it.
bool is_supported(instruction_set set);

instruction_set best_instruction_set();

/// A line of cells, one per edge: those on the left of the edges (or below), or those on their right (or above).
/// `normal` and `along` are momenta across and along the edges.
template <class Real>
struct cell_line {
  const Real* h;
  const Real* normal;
  const Real* along;
  const Real* bed;
};

/// Net updates of a line of cells by one edge each, times speed.
template <class Real>
struct update_line {
  Real* h;
  Real* normal;
  Real* along;
};

/// Solves `n` edges. Raises `fastest[k]` to the largest wave speed at edge k if that is more. What it reads and what it
/// writes do not overlap.
template <class Real>
using edge_loop = void (*)(std::size_t n, const cell_line<Real>& left, const cell_line<Real>& right,
                           const update_line<Real>& to_left, const update_line<Real>& to_right, Real* fastest,
                           const constants<Real>& given);

/// `augmented` has no vector instructions: it runs the same loop on both sets.
template <class Real>
edge_loop<Real> edge_loop_of(solver_kind kind, instruction_set set);

/// Floating-point operations that the loop does for one edge, as its source says: additions, subtractions,
/// multiplications, divisions and square roots, each as one. Comparisons, choices and changes of sign do not count. Two
/// are the same for all edges, so a compiler may do them once. 0 for `augmented`, whose number depends on the edge.
constexpr int flops_per_edge(solver_kind kind) {
  return kind == solver_kind::hlle ? 94 : kind == solver_kind::f_wave ? 72 : 0;
}

}  // namespace shoal::swe
