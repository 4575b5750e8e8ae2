// Patches as actors of a graph, which exchange borders over channels.
#include <memory>
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

// Acts when the border of each neighbour is there, and each channel has room for a new one: a step, and the new borders.
// Neighbours are at most a step apart, so at most two borders of a patch wait to be read. But the news that one was read may
// come later than the neighbour's next border.
template <class Real>
class patch_actor final : public dataflow::actor {
public:
  patch_actor(const simulation& what, std::size_t number, const step_plan& plan)
      : actor(dataflow::firing::on_all_inputs), state_(what, number), plan_(plan) {
    for (const side at : state_.inner_sides()) neighbours_.push_back(std::make_unique<neighbour>(*this, at));
  }

  const patch_state<Real>& state() const { return state_; }

private:
  struct neighbour {
    neighbour(actor& of, side its) : at(its), from(of, std::string("from ") + name_of(its)), to(of, name_of(its)) {}

    side at;
    dataflow::in_port<std::vector<Real>> from;
    dataflow::out_port<std::vector<Real>> to;
    std::vector<Real> border;  // its memory comes and goes with those of the channels
  };

  void start() override { plan_.n == 0 ? finish() : send_borders(); }

  void act() override {
    for (const auto& each : neighbours_) {
      if (each->to.free_capacity() == 0) return;  // acts again when that changes
    }
    do {
      for (const auto& each : neighbours_) {
        each->from.read_into(each->border);
        state_.set_ghosts(each->at, each->border);
      }
      state_.step(static_cast<Real>(plan_.dt));
      if (state_.n_steps() == plan_.n) return finish();
      send_borders();
    } while (neighbours_.empty());  // nobody would let it act again
  }

  void send_borders() {
    for (const auto& each : neighbours_) {
      state_.read_border(each->at, each->border);
      each->to.write_from(each->border);
    }
  }

  patch_state<Real> state_;
  const step_plan plan_;
  std::vector<std::unique_ptr<neighbour>> neighbours_;
};

}  // namespace

template <class Real>
double run_by_actors(world& w, const simulation& what, const step_plan& plan, const patch_visitor<Real>& visit) {
  const patch_grid grid = what.grid();
  dataflow::graph graph(w, "swe");
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  for (std::size_t p = mine.begin; p < mine.end; ++p) {
    graph.add_here(name_of_patch(p), std::make_unique<patch_actor<Real>>(what, p, plan));
    for (const side at : all_sides) {
      const std::optional<std::size_t> neighbour = grid.neighbour_of(p, at);
      if (!neighbour) continue;
      graph.connect({name_of_patch(p), name_of(at)},
                    {name_of_patch(*neighbour), std::string("from ") + name_of(opposite(at))},
                    {.capacity = what.channel_capacity, .length = 3 * grid.part_of(p).length_of(at)});
    }
  }
  graph.build();
  const std::uint64_t begin_ns = w.now_ns();
  graph.run();
  const std::uint64_t end_ns = w.now_ns();
  graph.for_each<patch_actor<Real>>([&](const patch_actor<Real>& each) { visit(each.state()); });
  return static_cast<double>(end_ns - begin_ns) * 1e-9;
}

template double run_by_actors<float>(world&, const simulation&, const step_plan&, const patch_visitor<float>&);
template double run_by_actors<double>(world&, const simulation&, const step_plan&, const patch_visitor<double>&);

}  // namespace shoal::swe
