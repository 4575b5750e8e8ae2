// Calls to other PEs in place of channels: each stores a border, and the call that completes the borders of a patch leaves its step
// for later. This is what programs do that have remote procedure calls and no ports. Their steps are fixed.
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "applications/swe/forms.hpp"
#include "shoal/shoal.hpp"

namespace shoal::swe {
namespace {

// The patches of a PE.
template <class Real>
class patch_store {
public:
  patch_store(world& w, const simulation& what, const step_plan& plan, run_progress* shown)
      : home_(w), grid_(what.grid()), mine_(patches_of(w, w.my_pe(), grid_.n())), plan_(plan) {
    for (std::size_t p = mine_.begin; p < mine_.end; ++p) places_.push_back(std::make_unique<place>(what, p, shown));
  }

  // In finish: lets all begin.
  void begin(pe_handle<patch_store> everywhere) {
    for (std::size_t p = mine_.begin; p < mine_.end; ++p) {
      if (plan_.n > 0) go_on(everywhere, p);
    }
  }

  const std::vector<const patch_state<Real>*> states() const {
    std::vector<const patch_state<Real>*> all;
    for (const auto& each : places_) all.push_back(&each->state);
    return all;
  }

private:
  struct place {
    place(const simulation& what, std::size_t p, run_progress* shown) : state(what, p, shown) {}

    patch_state<Real> state;
    std::array<std::deque<std::vector<Real>>, 4> arrived;  // by side; a neighbour may be a step ahead
    bool is_left = false;  // its step is left for later
  };

  static void take(pe_handle<patch_store> store, std::uint64_t p, side at, std::vector<Real> border) {
    place& its = store->place_of(p);
    its.arrived[static_cast<std::size_t>(at)].push_back(std::move(border));
    store->leave_step(store, p);
  }

  place& place_of(std::size_t p) { return *places_[p - mine_.begin]; }

  static bool is_complete(const place& its) {
    for (const side at : its.state.inner_sides()) {
      if (its.arrived[static_cast<std::size_t>(at)].empty()) return false;
    }
    return its.state.n_steps() > 0 || !its.state.inner_sides().empty();
  }

  void take_step(patch_state<Real>& its) {
    its.solve();
    its.advance({plan_.dt, its.n_steps() + 1 == plan_.n});
  }

  void leave_step(pe_handle<patch_store> everywhere, std::size_t p) {
    place& its = place_of(p);
    if (its.is_left || !is_complete(its)) return;
    its.is_left = true;
    home_.defer([this, everywhere, p] { step(everywhere, p); });
  }

  void step(pe_handle<patch_store> everywhere, std::size_t p) {
    place& its = place_of(p);
    its.is_left = false;
    for (const side at : its.state.inner_sides()) {
      auto& queue = its.arrived[static_cast<std::size_t>(at)];
      its.state.set_ghosts(at, queue.front());
      queue.pop_front();
    }
    take_step(its.state);
    if (its.state.n_steps() < plan_.n) go_on(everywhere, p);
  }

  // Sends the borders of a patch, which may then be complete itself.
  void go_on(pe_handle<patch_store> everywhere, std::size_t p) {
    place& its = place_of(p);
    if (its.state.inner_sides().empty()) {
      while (its.state.n_steps() < plan_.n) take_step(its.state);
      return;
    }
    for (const side at : its.state.inner_sides()) {
      std::vector<Real> border;
      its.state.read_border(at, border);
      const std::size_t neighbour = *grid_.neighbour_of(p, at);
      home_.send<&patch_store::take>(owner_of(home_, neighbour, grid_.n()), everywhere, neighbour, opposite(at),
                                     std::move(border));
    }
    leave_step(everywhere, p);
  }

  world& home_;
  const patch_grid grid_;
  const patch_range mine_;
  const step_plan plan_;
  std::vector<std::unique_ptr<place>> places_;
};

}  // namespace

template <class Real>
double run_by_closures(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                       const patch_visitor<Real>& visit) {
  shoal::per_pe<patch_store<Real>> store(w, w, what, plan, shown);
  w.barrier();
  const std::uint64_t begin_ns = w.now_ns();
  w.finish([&] { store->begin(store.handle()); });
  const std::uint64_t end_ns = w.now_ns();
  for (const patch_state<Real>* each : store->states()) visit(*each);
  return static_cast<double>(end_ns - begin_ns) * 1e-9;
}

template double run_by_closures<float>(world&, const simulation&, const step_plan&, run_progress*,
                                       const patch_visitor<float>&);
template double run_by_closures<double>(world&, const simulation&, const step_plan&, run_progress*,
                                        const patch_visitor<double>&);

}  // namespace shoal::swe
