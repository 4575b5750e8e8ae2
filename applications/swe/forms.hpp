/// The forms of a simulation: each steps the patches of this PE to the end, while the others do the same.
#pragma once

#include <functional>

#include "applications/swe/patch_state.hpp"
#include "applications/swe/simulation.hpp"
#include "shoal/actor/world.hpp"

namespace shoal::swe {

/// Called for each patch of this PE at the end.
template <class Real>
using patch_visitor = std::function<void(const patch_state<Real>&)>;

/// Collective, and waits. Each returns the seconds that the steps took on this PE.
template <class Real>
double run_by_actors(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                     const patch_visitor<Real>& visit);
template <class Real>
double run_by_supersteps(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                         const patch_visitor<Real>& visit);
template <class Real>
double run_by_closures(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                       const patch_visitor<Real>& visit);

/// Whether this build has OpenMP.
bool has_openmp();

/// Of a world of one PE. Throws setup_error without OpenMP.
template <class Real>
double run_by_openmp(const simulation& what, const step_plan& plan, run_progress* shown,
                     const patch_visitor<Real>& visit);

}  // namespace shoal::swe
