#include "applications/swe/simulation.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iomanip>
#include <sstream>

#include "applications/swe/forms.hpp"
#include "applications/swe/patch_state.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::swe {
namespace {

// Adds up sums of all PEs, whose terms are integers.
fixed_sum sum_over_pes(world& w, const fixed_sum& here) {
  fixed_sum all;
  for (const fixed_sum& each : w.gather(here)) all.add(each);
  return all;
}

template <class Real>
double run_form(world& w, const simulation& what, form how, const step_plan& plan, run_progress* shown,
                const patch_visitor<Real>& visit) {
  switch (how) {
    case form::actors: return run_by_actors<Real>(w, what, plan, shown, visit);
    case form::bsp: return run_by_supersteps<Real>(w, what, plan, shown, visit);
    case form::rpc: return run_by_closures<Real>(w, what, plan, shown, visit);
    case form::openmp: return run_by_openmp<Real>(what, plan, shown, visit);
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
run_report run(world& w, const simulation& what, form how, run_progress* shown) {
  const bool has_frames = !what.frames.folder.empty();
  if (has_frames && w.my_pe() == 0) make_folder(what.frames);
  const step_plan plan = plan_of<Real>(w, what);
  const scenario its = what.its_scenario();
  const domain whole = what.whole();
  run_report report;
  report.n_patches = what.grid().n();
  report.volume_before = volume_at_start<Real>(w, what);
  state_sums sums;
  run_counts computed;
  std::uint64_t n_steps = 0;
  std::uint64_t n_moved = 0;
  const patch_range mine = patches_of(w, w.my_pe(), what.grid().n());
  const double seconds = run_form<Real>(w, what, how, plan, shown, [&](const patch_state<Real>& each) {
    sums.add(each.cells(), its, what.its_end_time());
    n_steps = each.n_steps();
    report.frame_times = each.frame_times();
    computed.n_patch_steps += each.computed().n_patch_steps;
    computed.n_cell_steps += each.computed().n_cell_steps;
    n_moved += mine.has(each.number()) ? 0 : 1;
  });
  report.n_moved = w.sum(n_moved);
  report.n_steps = w.max(n_steps);
  report.seconds = w.max(seconds);
  report.computed = {w.sum(computed.n_patch_steps), w.sum(computed.n_cell_steps)};
  report.volume_after = sum_over_pes(w, sums.depths).value() * whole.dx() * whole.dy();
  report.digest = w.sum(sums.digest);
  if (has_frames) {
    // The same on each PE that has patches.
    report.frame_times.resize(w.max(report.frame_times.size()));
    for (double& time : report.frame_times) time = w.max(time);
    if (w.my_pe() == 0) join_frames(what.frames, what.grid(), report.frame_times, sizeof(Real) == sizeof(float));
  }
  if (its.exact) report.error = sum_over_pes(w, sums.errors).value() / static_cast<double>(what.n_x * what.n_y);
  return report;
}

void refuse_beyond_memory(world& w, const simulation& what, std::size_t real_bytes) {
  if (what.is_charged()) return;
  const patch_grid grid = what.grid();
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  double bytes = 0;
  for (std::size_t p = mine.begin; p < mine.end; ++p) {
    bytes += static_cast<double>(patch<double>::n_numbers_of(grid.part_of(p)) * real_bytes);
  }
  std::array<char, 256> name = {};
  ::gethostname(name.data(), name.size() - 1);
  const std::uint64_t machine = std::hash<std::string>()(name.data());
  const std::vector<std::uint64_t> machines = w.gather(machine);
  const std::vector<double> takes = w.gather(bytes);
  double bytes_here = 0;
  for (std::size_t pe = 0; pe < takes.size(); ++pe) bytes_here += machines[pe] == machine ? takes[pe] : 0;
  const double memory = static_cast<double>(this_machine().memory_bytes);
  const bool is_first_here = std::ranges::find(machines, machine) - machines.begin() == w.my_pe();
  const auto gib = [](double n) {
    std::ostringstream text;
    text << std::setprecision(3) << n / (1U << 30U) << " GiB";
    return text.str();
  };
  if (bytes_here > memory && is_first_here) {
    throw setup_error("a grid of " + std::to_string(what.n_x) + " x " + std::to_string(what.n_y) + " cells takes " +
                      gib(bytes_here) + " on this machine, which has " + gib(memory) +
                      "; give fewer cells, --real=float, or more machines");
  }
  w.barrier();  // nobody takes memory before all have looked
}

template run_report run<float>(world&, const simulation&, form, run_progress*);
template run_report run<double>(world&, const simulation&, form, run_progress*);

}  // namespace shoal::swe
