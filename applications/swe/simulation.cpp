#include "applications/swe/simulation.hpp"

#include "applications/swe/forms.hpp"
#include "applications/swe/patch_state.hpp"

namespace shoal::swe {
namespace {

// Adds up sums of all PEs, whose terms are integers.
fixed_sum sum_over_pes(world& w, const fixed_sum& here) {
  fixed_sum all;
  for (const fixed_sum& each : w.gather(here)) all.add(each);
  return all;
}

template <class Real>
double run_form(world& w, const simulation& what, form how, const step_plan& plan, const patch_visitor<Real>& visit) {
  switch (how) {
    case form::actors: return run_by_actors<Real>(w, what, plan, visit);
    case form::bsp: return run_by_supersteps<Real>(w, what, plan, visit);
    case form::rpc: return run_by_closures<Real>(w, what, plan, visit);
  }
  return 0;
}

// Cubic metres of water at the start.
template <class Real>
double volume_at_start(world& w, const simulation& what) {
  const patch_grid grid = what.grid();
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  fixed_sum depths;
  for (std::size_t p = mine.begin; p < mine.end; ++p) patch_state<Real>(what, p).cells().add_depths(depths);
  return sum_over_pes(w, depths).value() * grid.whole().dx() * grid.whole().dy();
}

}  // namespace

template <class Real>
run_report run(world& w, const simulation& what, form how) {
  const step_plan plan = plan_of<Real>(w, what);
  const scenario its = what.its_scenario();
  const domain whole = what.whole();
  run_report report;
  report.n_patches = what.grid().n();
  report.volume_before = volume_at_start<Real>(w, what);
  state_sums sums;
  run_counts computed;
  std::uint64_t n_steps = 0;
  const double seconds = run_form<Real>(w, what, how, plan, [&](const patch_state<Real>& each) {
    sums.add(each.cells(), its, what.its_end_time());
    n_steps = each.n_steps();
    computed.n_patch_steps += each.computed().n_patch_steps;
    computed.n_cell_steps += each.computed().n_cell_steps;
  });
  report.n_steps = w.max(n_steps);
  report.seconds = w.max(seconds);
  report.computed = {w.sum(computed.n_patch_steps), w.sum(computed.n_cell_steps)};
  report.volume_after = sum_over_pes(w, sums.depths).value() * whole.dx() * whole.dy();
  report.digest = w.sum(sums.digest);
  if (its.exact) report.error = sum_over_pes(w, sums.errors).value() / static_cast<double>(what.n_x * what.n_y);
  return report;
}

template run_report run<float>(world&, const simulation&, form);
template run_report run<double>(world&, const simulation&, form);

}  // namespace shoal::swe
