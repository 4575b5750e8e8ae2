// Patches as actors of a graph, which exchange borders over channels.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "applications/swe/forms.hpp"
#include "shoal/dataflow.hpp"

namespace shoal::swe {
namespace {

const char* name_of(side at) {
  switch (at) {
    case side::left: return "left";
    case side::right: return "right";
    case side::bottom: return "bottom";
    case side::top: return "top";
  }
  return "";
}

std::string name_of_patch(std::size_t number) { return "patch " + std::to_string(number); }

std::string name_of_clock(pe_id pe) { return "clock " + std::to_string(pe); }

// What the patches of a PE need to be made there.
struct patch_needs {
  const simulation& what;
  step_plan plan;
  run_progress* shown;
};

// Acts when the border of each neighbour is there, and each channel has room for a new one: a step, and the new borders.
// Neighbours are at most a step apart, so at most two borders of a patch wait to be read. But the news that one was read may
// come later than the neighbour's next border. If the length of steps follows from the waves, the clock of the PE tells it in
// the middle of the step.
template <class Real>
class patch_actor final : public dataflow::actor {
public:
  patch_actor(const simulation& what, std::size_t number, const step_plan& plan, run_progress* shown)
      : actor(what.steps == step_rule::fixed ? dataflow::firing::on_all_inputs : dataflow::firing::on_change),
        state_(what, number, shown),
        equal_steps_(what, plan),
        n_steps_between_(number == 0 ? what.n_steps_between : 0) {
    for (const side at : state_.inner_sides()) neighbours_.push_back(std::make_unique<neighbour>(*this, at));
    if (what.steps != step_rule::fixed) clock_ = std::make_unique<ports_to_clock>(*this);
  }

  patch_actor(pe_handle<const patch_needs> here, std::size_t number)
      : patch_actor(here->what, number, here->plan, here->shown) {}

  const patch_state<Real>& state() const { return state_; }

  void serialize(auto& archive) {
    archive(is_solved_);
    state_.serialize_state(archive, is_solved_);
    archive(equal_steps_);
  }

private:
  struct neighbour {
    neighbour(actor& of, side its) : at(its), from(of, std::string("from ") + name_of(its)), to(of, name_of(its)) {}

    side at;
    dataflow::in_port<std::vector<Real>> from;
    dataflow::out_port<std::vector<Real>> to;
    std::vector<Real> border;  // its memory comes and goes with those of the channels
  };
  struct ports_to_clock {
    explicit ports_to_clock(actor& of) : waves(of, "waves"), steps(of, "steps") {}

    dataflow::out_port<Real> waves;
    dataflow::in_port<time_step> steps;
  };

  void start() override { send_borders(); }

  void act() override {
    do {
      if (!is_solved_ && !solve()) return;
      time_step step;
      if (clock_ == nullptr) {
        step = equal_steps_.next(0);
      } else if (clock_->steps.available() == 0) {
        return;
      } else {
        step = clock_->steps.read();
      }
      state_.advance(step);
      is_solved_ = false;
      if (step.is_last) return finish();
      send_borders();
      if (n_steps_between_ != 0 && state_.n_steps() % n_steps_between_ == 0) {
        its_graph().repartition(dataflow::placement::metis());
      }
    } while (clock_ != nullptr || neighbours_.empty());  // with neighbours alone, they let it act again
  }

  // The first half of a step. False: not yet.
  bool solve() {
    for (const auto& each : neighbours_) {
      if (each->from.available() == 0 || each->to.free_capacity() == 0) return false;
    }
    if (clock_ != nullptr && clock_->waves.free_capacity() == 0) return false;
    for (const auto& each : neighbours_) {
      each->from.read_into(each->border);
      state_.set_ghosts(each->at, each->border);
    }
    const Real fastest = state_.solve();
    if (clock_ != nullptr) clock_->waves.write(fastest);
    is_solved_ = true;
    return true;
  }

  void send_borders() {
    for (const auto& each : neighbours_) {
      state_.read_border(each->at, each->border);
      each->to.write_from(each->border);
    }
  }

  patch_state<Real> state_;
  step_clock<Real> equal_steps_;
  const std::uint64_t n_steps_between_;  // divisions that it asks for; 0: none
  std::vector<std::unique_ptr<neighbour>> neighbours_;
  std::unique_ptr<ports_to_clock> clock_;  // null: steps are equal
  bool is_solved_ = false;
};

// Tells the patches of its PE how long a step is, from the waves of all. The clocks are a binary tree, in which the fastest
// wave goes up and the step comes down.
template <class Real>
class clock_actor final : public dataflow::actor {
public:
  clock_actor(const simulation& what, const step_plan& plan, bool is_root, const std::vector<std::string>& below)
      : clock_(what, plan), knows_first_step_(what.steps == step_rule::behind) {
    for (const std::string& each : below) below_.push_back(std::make_unique<ports_below>(*this, each));
    if (!is_root) above_ = std::make_unique<ports_above>(*this);
  }

private:
  struct ports_below {
    ports_below(actor& of, const std::string& whom) : waves(of, "waves of " + whom), steps(of, "steps of " + whom) {}

    dataflow::in_port<Real> waves;
    dataflow::out_port<time_step> steps;
  };
  struct ports_above {
    explicit ports_above(actor& of) : waves(of, "waves"), steps(of, "steps") {}

    dataflow::out_port<Real> waves;
    dataflow::in_port<time_step> steps;
  };

  void start() override {
    if (above_ == nullptr && knows_first_step_) tell(clock_.next(0));
  }

  void act() override {
    while (!has_finished() && (passes_wave() || passes_step())) {
    }
  }

  bool passes_wave() {
    for (const auto& each : below_) {
      if (each->waves.available() == 0) return false;
    }
    if (above_ == nullptr ? !have_room_for_step() : above_->waves.free_capacity() == 0) return false;
    Real fastest = 0;
    for (const auto& each : below_) fastest = std::max(fastest, each->waves.read());
    above_ == nullptr ? tell(clock_.next(fastest)) : above_->waves.write(fastest);
    return true;
  }

  bool passes_step() {
    if (above_ == nullptr || above_->steps.available() == 0 || !have_room_for_step()) return false;
    tell(above_->steps.read());
    return true;
  }

  bool have_room_for_step() const {
    return std::ranges::all_of(below_, [](const auto& each) { return each->steps.free_capacity() > 0; });
  }

  void tell(const time_step& step) {
    for (const auto& each : below_) each->steps.write(step);
    if (step.is_last) finish();
  }

  step_clock<Real> clock_;
  const bool knows_first_step_;
  std::vector<std::unique_ptr<ports_below>> below_;
  std::unique_ptr<ports_above> above_;  // null at the root
};

// Whether a PE has patches, or a clock below it has.
bool needs_clock(const world& w, pe_id pe, std::size_t n_patches) {
  if (pe >= w.n_pes()) return false;
  const patch_range its = patches_of(w, pe, n_patches);
  return its.begin < its.end || needs_clock(w, 2 * pe + 1, n_patches) || needs_clock(w, 2 * pe + 2, n_patches);
}

// The clock of this PE, and its channels from and to the patches of the PE and the clocks below.
template <class Real>
void add_clock(const world& w, dataflow::graph& graph, const simulation& what, const step_plan& plan) {
  const std::size_t n_patches = what.grid().n();
  if (!needs_clock(w, w.my_pe(), n_patches)) return;
  std::vector<std::string> below;
  const patch_range mine = patches_of(w, w.my_pe(), n_patches);
  for (std::size_t p = mine.begin; p < mine.end; ++p) below.push_back(name_of_patch(p));
  for (const pe_id pe : {2 * w.my_pe() + 1, 2 * w.my_pe() + 2}) {
    if (needs_clock(w, pe, n_patches)) below.push_back(name_of_clock(pe));
  }
  const std::string name = name_of_clock(w.my_pe());
  graph.add_here(name, std::make_unique<clock_actor<Real>>(what, plan, w.my_pe() == 0, below));
  for (const std::string& each : below) {
    graph.connect({each, "waves"}, {name, "waves of " + each}, {.capacity = what.channel_capacity});
    graph.connect({name, "steps of " + each}, {each, "steps"}, {.capacity = what.channel_capacity});
  }
}

}  // namespace

template <class Real>
double run_by_actors(world& w, const simulation& what, const step_plan& plan, run_progress* shown,
                     const patch_visitor<Real>& visit) {
  const patch_grid grid = what.grid();
  const per_pe<const patch_needs> needs(w, what, plan, shown);
  dataflow::graph graph(w, "swe");
  if (what.balances) graph.balance_load();
  if (what.n_steps_between > 0) graph.measure_load();
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  for (std::size_t p = mine.begin; p < mine.end; ++p) {
    graph.add<patch_actor<Real>>({name_of_patch(p), 1, w.my_pe()}, needs.handle(), p);
    for (const side at : all_sides) {
      const std::optional<std::size_t> neighbour = grid.neighbour_of(p, at);
      if (!neighbour) continue;
      graph.connect({name_of_patch(p), name_of(at)},
                    {name_of_patch(*neighbour), std::string("from ") + name_of(opposite(at))},
                    {.capacity = what.channel_capacity, .length = 3 * grid.part_of(p).length_of(at)});
    }
  }
  if (what.steps != step_rule::fixed) add_clock<Real>(w, graph, what, plan);
  graph.build();
  const std::uint64_t begin_ns = w.now_ns();
  graph.run();
  const std::uint64_t end_ns = w.now_ns();
  graph.for_each<patch_actor<Real>>([&](const patch_actor<Real>& each) { visit(each.state()); });
  return static_cast<double>(end_ns - begin_ns) * 1e-9;
}

template double run_by_actors<float>(world&, const simulation&, const step_plan&, run_progress*,
                                     const patch_visitor<float>&);
template double run_by_actors<double>(world&, const simulation&, const step_plan&, run_progress*,
                                      const patch_visitor<double>&);

}  // namespace shoal::swe
