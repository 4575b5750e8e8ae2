// Exchange, then compute: each step is a superstep that carries all borders, and then a loop over the patches.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "applications/swe/forms.hpp"
#include "shoal/shoal.hpp"

namespace shoal::swe {
namespace {

// What a border is of.
struct border_head {
  std::uint64_t patch;  // that receives it
  side at;
};

}  // namespace

template <class Real>
double run_by_supersteps(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                         const patch_visitor<Real>& visit) {
  const patch_grid grid = what.grid();
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  std::vector<std::unique_ptr<patch_state<Real>>> patches;
  for (std::size_t p = mine.begin; p < mine.end; ++p) {
    patches.push_back(std::make_unique<patch_state<Real>>(what, p, shown));
  }
  const auto patch_of = [&](std::size_t p) -> patch_state<Real>& { return *patches[p - mine.begin]; };
  shoal::actor borders{
      w, [&](const shoal::list<border_head, Real>& m) { patch_of(m.header.patch).set_ghosts(m.header.at, m.elements); },
      "borders"};
  w.barrier();
  const std::uint64_t begin_ns = w.now_ns();
  std::vector<Real> border;
  step_clock<Real> clock(what, plan);
  Real fastest_before = 0;
  for (bool is_last = plan.n == 0; !is_last;) {
    w.finish([&] {
      for (std::size_t p = mine.begin; p < mine.end; ++p) {
        for (const side at : patch_of(p).inner_sides()) {
          const std::size_t neighbour = *grid.neighbour_of(p, at);
          patch_of(p).read_border(at, border);
          if (mine.has(neighbour)) {
            patch_of(neighbour).set_ghosts(opposite(at), border);
          } else {
            borders.send(owner_of(w, neighbour, grid.n()), {border_head{neighbour, opposite(at)}, border});
          }
        }
      }
    });
    Real fastest = 0;
    for (const auto& each : patches) fastest = std::max(fastest, each->solve());
    if (what.steps != step_rule::fixed) fastest = w.max(fastest);
    const time_step step =
        clock.next(what.steps == step_rule::behind ? std::exchange(fastest_before, fastest) : fastest);
    for (const auto& each : patches) each->advance(step);
    is_last = step.is_last;
  }
  const std::uint64_t end_ns = w.now_ns();
  for (const auto& each : patches) visit(*each);
  return static_cast<double>(end_ns - begin_ns) * 1e-9;
}

template double run_by_supersteps<float>(world&, const simulation&, const step_plan&, run_progress*,
                                         const patch_visitor<float>&);
template double run_by_supersteps<double>(world&, const simulation&, const step_plan&, run_progress*,
                                          const patch_visitor<double>&);

}  // namespace shoal::swe
