/// What the equations and the solvers take from outside.
#pragma once

namespace shoal::swe {

inline constexpr double standard_gravity = 9.81;  // m/s²

/// Metres and seconds.
template <class Real>
struct constants {
  Real gravity = Real(standard_gravity);
  /// A cell with less water is dry: it has no momentum, and higher ground that is dry stops water like a wall.
  Real dry_depth = Real(0.01);
};

/// Which approximate Riemann solver the edges use. README.md has the sources.
enum class solver_kind {
  hlle,  // Harten, Lax, van Leer and Einfeldt's two speeds, with a wave for the bed; vectorised
  f_wave,  // the flux difference and the source as two waves; vectorised
  augmented,  // George's augmented solver: three waves and the middle state of the exact solution
};

inline constexpr solver_kind all_solver_kinds[] = {solver_kind::hlle, solver_kind::f_wave, solver_kind::augmented};

/// "hlle", "f_wave", "augmented".
constexpr const char* to_text(solver_kind kind) {
  switch (kind) {
    case solver_kind::hlle: return "hlle";
    case solver_kind::f_wave: return "f_wave";
    case solver_kind::augmented: return "augmented";
  }
  return "";
}

}  // namespace shoal::swe
