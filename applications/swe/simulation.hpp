/// A simulation on all PEs: what is asked, and what it reports.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "applications/shallow_water/constants.hpp"
#include "applications/shallow_water/geometry.hpp"
#include "applications/shallow_water/scenario.hpp"
#include "applications/swe/frames.hpp"
#include "applications/swe/patch_grid.hpp"
#include "shoal/actor/world.hpp"

namespace shoal::swe {

/// How patches get the borders of their neighbours.
enum class form : std::uint8_t {
  actors,  // over channels of an actor graph: a patch goes on when its neighbours' borders are there
  bsp,  // exchange, then compute: a superstep for each step
  rpc,  // by closures that store them; what is complete is computed as deferred work
  openmp,  // by threads of the only PE, which read them in the neighbours' cells: the baseline without Shoal
};

/// How long steps are. Each lets the fastest wave cross 0.4 of a cell at most, as it is known at the time.
enum class step_rule : std::uint8_t {
  fixed,  // all equal, by the waves at the start ("An Actor Library for MPI", 2019, section 6.1)
  exact,  // each by its own waves: all patches wait for the slowest
  behind,  // each by the waves of the step before, so that nobody waits; waves may get a fourth faster in a step
};

struct simulation {
  std::string scenario_name = "pool_drop";
  std::uint64_t n_x = 256;
  std::uint64_t n_y = 256;
  std::uint64_t patch_size = 64;
  double end_time = 0;  // seconds; 0: that of the scenario
  solver_kind solver = solver_kind::hlle;
  step_rule steps = step_rule::fixed;
  bool is_lazy = false;  // patches at rest, whose neighbours are at rest, compute nothing until a wave arrives
  bool balances = false;  // `actors`: PEs that have nothing to do take patches from others
  std::uint64_t n_steps_between = 0;  // `actors`: after so many, METIS divides the patches anew; 0: never
  std::uint32_t channel_capacity = 4;  // of `actors`; at least 2
  int n_threads = 1;  // of `openmp`

  // In the simulator, to predict times: if above 0, patches compute nothing, hold no cells, and say that each cell of a
  // step took that long.
  double charged_ns = 0;
  std::uint64_t n_charged_steps = 50;
  std::shared_ptr<const scenario> sea = nullptr;  // in place of the named scenario, if not null
  frame_plan frames = {};

  scenario its_scenario() const { return sea ? *sea : scenario_of(scenario_name, n_x, n_y); }
  domain whole() const { return its_scenario().with_cells(n_x, n_y); }
  bool moves_patches() const { return balances || n_steps_between > 0; }
  bool is_charged() const { return charged_ns > 0; }
  patch_grid grid() const { return patch_grid(whole(), patch_size); }
  double its_end_time() const { return end_time > 0 ? end_time : its_scenario().end_time; }
};

/// What is known at the start.
struct step_plan {
  std::uint64_t n = 0;  // of equal steps
  double dt = 0;  // of each; for `behind`, the longest first step
};

/// A step that all patches take.
struct time_step {
  double dt = 0;
  bool is_last = false;
};

/// What patches of one PE, or of all, have done.
struct run_counts {
  std::uint64_t n_patch_steps = 0;  // computed; a patch at rest computes none
  std::uint64_t n_cell_steps = 0;

  void add(std::uint64_t n_cells) {
    ++n_patch_steps;
    n_cell_steps += n_cells;
  }
};

struct run_report {
  std::uint64_t n_steps = 0;
  std::uint64_t n_patches = 0;
  run_counts computed;
  std::uint64_t n_moved = 0;  // patches that ended on another PE than they began
  double seconds = 0;  // of the steps, of the slowest PE
  double volume_before = 0;  // cubic metres of water
  double volume_after = 0;
  std::uint64_t digest = 0;  // of the bits of all cells: equal runs have equal digests, however they were cut
  std::vector<double> frame_times;  // seconds
  double error = -1;  // mean difference of depth to the exact solution, in metres; -1: there is no formula
};

/// How far the patches of a PE are, for another thread that shows it.
struct run_progress {
  std::atomic<double> patch_seconds = 0;  // simulated, added up over the patches
};

/// Collective, and waits. The same report on all PEs. `Real` is float or double. `shown`, if not null, is kept up to
/// date by the patches of this PE.
template <class Real>
run_report run(world& w, const simulation& what, form how, run_progress* shown = nullptr);

/// Throws setup_error if the cells of the PEs of a machine take more than its memory. Collective.
void refuse_beyond_memory(world& w, const simulation& what, std::size_t real_bytes);

}  // namespace shoal::swe
