// What the shallow water library takes: a line of edges in cache, by solver, type and instructions, and a step of a
// patch of 250 x 250 cells. Times are ns per edge and per cell; derived lines say millions of edges or cells and
// billions of operations per second. Operations are those of edge_loop.hpp and cell_loop.hpp: additions, subtractions,
// multiplications, divisions and square roots, each as one; no comparisons. A test counts them.
#include <cmath>
#include <string>

#include "applications/shallow_water/cached_edges.hpp"
#include "applications/shallow_water/cell_loop.hpp"
#include "applications/shallow_water/serial_run.hpp"
#include "benchmarks/support/benchmark.hpp"

namespace {

using namespace shoal;

constexpr std::size_t patch_width = 250;

template <class Real>
constexpr const char* name_of_type = sizeof(Real) == 4 ? "float" : "double";

class swe_benchmark {
public:
  explicit swe_benchmark(bench::benchmark& all) : all_(all) {}

  template <class Real>
  void run_edges(swe::solver_kind solver, swe::instruction_set set) {
    const int n_runs = all_.is_smoke() ? 10 : 20'000;
    swe::cached_edges<Real> line;
    swe::cached_edges<Real> expected;
    expected.solve(swe::edge_loop_of<Real>(solver, swe::instruction_set::portable));
    const swe::edge_loop<Real> loop = swe::edge_loop_of<Real>(solver, set);
    const double ns = all_.measure(
        {"edges_" + name_of<Real>(solver, set), double(swe::cached_edges<Real>::n) * n_runs, "ns"},
        [&] {
          for (int i = 0; i < n_runs; ++i) line.solve(loop);
        },
        [&] { return line == expected; });
    all_.derive("edges_" + name_of<Real>(solver, set) + "_mega_per_s", 1e3 / ns);
    derive_flops("edges_" + name_of<Real>(solver, set), solver, swe::flops_per_edge(solver) / ns);
  }

  template <class Real>
  void run_patch(swe::solver_kind solver, swe::instruction_set set) {
    const int n_steps = all_.is_smoke() ? 2 : 100;
    constexpr swe::grid_size size = {patch_width, patch_width};
    const swe::scenario from = swe::multi_drop(size.x, size.y, 1);
    swe::serial_run<Real> run(from, size, {1, 1}, solver, set);
    const double before = run.volume();
    const Real dt = swe::step_for(Real(25), run.whole());
    const double ns = all_.measure(
        {"patch_" + name_of<Real>(solver, set), double(patch_width * patch_width) * n_steps, "ns"},
        [&] {
          for (int i = 0; i < n_steps; ++i) run.step(dt);
        },
        [&] { return std::abs(run.volume() / before - 1) < 1e-5; });
    all_.derive("patch_" + name_of<Real>(solver, set) + "_mega_per_s", 1e3 / ns);
    const double edges_per_cell = double(run.patches()[0].n_edges()) / double(run.patches()[0].n_cells());
    derive_flops("patch_" + name_of<Real>(solver, set), solver,
                 (edges_per_cell * swe::flops_per_edge(solver) + swe::flops_per_cell) / ns);
  }

private:
  template <class Real>
  static std::string name_of(swe::solver_kind solver, swe::instruction_set set) {
    return std::string(to_text(solver)) + "_" + name_of_type<Real> + "_" + to_text(set);
  }

  void derive_flops(const std::string& name, swe::solver_kind solver, double giga_per_s) {
    if (swe::flops_per_edge(solver) > 0) all_.derive(name + "_gflop_per_s", giga_per_s);
  }

  bench::benchmark& all_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_one(argc, argv, "swe_solver", [](world&, bench::benchmark& all) {
    swe_benchmark swe_of(all);
    for (const swe::solver_kind solver : swe::all_solver_kinds) {
      for (const swe::instruction_set set : {swe::instruction_set::portable, swe::instruction_set::avx2}) {
        // The augmented solver has one loop for both.
        if (!is_supported(set) || (solver == swe::solver_kind::augmented && set != swe::instruction_set::portable)) {
          continue;
        }
        swe_of.run_edges<float>(solver, set);
        swe_of.run_edges<double>(solver, set);
        swe_of.run_patch<float>(solver, set);
        swe_of.run_patch<double>(solver, set);
      }
    }
  });
}
