// A network of neurons without a regular structure: each is an actor with a channel to every neuron that its axon reaches. Time goes in
// steps, but no barrier separates them: a neuron steps when
// all its inputs of the step are there, and those whom it reaches have room for what it sends.
//     spikes [metis]    with an argument, METIS places the neurons
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <shoal/dataflow.hpp>
#include <shoal/shoal.hpp>

namespace {

namespace dataflow = shoal::dataflow;

constexpr int n_neurons = 60;
constexpr int n_synapses = 5;  // of an axon
constexpr int n_steps = 200;

// Whom an axon reaches, and how strongly: by hashing, so that all PEs know it.
struct synapse {
  int from;
  int to;
  int strength;
};
std::vector<synapse> synapses() {
  std::vector<synapse> all;
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state >> 33) % below);
  };
  for (int from = 0; from < n_neurons; ++from) {
    for (int i = 0; i < n_synapses; ++i) all.push_back({from, draw(n_neurons), draw(60) - 15});
  }
  return all;
}

// What happens in a neuron in a step: it leaks, sums up, and spikes beyond a threshold. Whole numbers, so that no order matters.
struct membrane {
  int potential = 0;

  bool step(int number, int current) {
    potential = potential * 15 / 16 + current + 3 + number % 6;
    if (potential < 100) return false;
    potential = 0;
    return true;
  }
};

// [neuron]
class neuron final : public dataflow::actor {
public:
  explicit neuron(int number) : number_(number) {
    const std::vector<synapse> all = synapses();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = std::to_string(i);
      if (all[i].from == number) axon_.push_back(std::make_unique<dataflow::out_port<bool>>(*this, name));
      if (all[i].to == number) {
        dendrites_.push_back({std::make_unique<dataflow::in_port<bool>>(*this, name), all[i].strength});
      }
    }
  }

  int n_spikes() const { return n_spikes_; }

private:
  void start() override { send(false); }  // a first token for each cycle
  void act() override {
    while (may_step()) {
      int current = 0;
      for (auto& [port, strength] : dendrites_) current += port->read() ? strength : 0;
      const bool spikes = cell_.step(number_, current);
      n_spikes_ += spikes ? 1 : 0;
      if (++n_steps_ == n_steps) return finish();
      send(spikes);
    }
  }
  bool may_step() const {
    for (const auto& [port, strength] : dendrites_) {
      if (port->available() == 0) return false;
    }
    for (const auto& each : axon_) {
      if (each->free_capacity() == 0) return false;
    }
    return true;
  }
  void send(bool spike) {
    for (const auto& each : axon_) each->write(spike);
  }

  const int number_;
  std::vector<std::unique_ptr<dataflow::out_port<bool>>> axon_;
  std::vector<std::pair<std::unique_ptr<dataflow::in_port<bool>>, int>> dendrites_;
  membrane cell_;
  int n_steps_ = 0;
  int n_spikes_ = 0;
};
// [/neuron]

// The same by a loop over all.
int spikes_of_a_loop() {
  const std::vector<synapse> all = synapses();
  std::vector<membrane> cells(n_neurons);
  std::vector<bool> spikes(n_neurons);
  int n_spikes = 0;
  for (int step = 0; step < n_steps; ++step) {
    std::vector<int> currents(n_neurons);
    for (const synapse& each : all) {
      currents[static_cast<std::size_t>(each.to)] += spikes[static_cast<std::size_t>(each.from)] ? each.strength : 0;
    }
    for (int i = 0; i < n_neurons; ++i) {
      const auto its = static_cast<std::size_t>(i);
      spikes[its] = cells[its].step(i, currents[its]);
      n_spikes += spikes[its] ? 1 : 0;
    }
  }
  return n_spikes;
}

int body(shoal::world& world, bool uses_metis) {
  dataflow::graph brain(world, "brain");
  const auto name = [](int number) { return "neuron " + std::to_string(number); };
  for (int i = static_cast<int>(world.my_pe()); i < n_neurons; i += static_cast<int>(world.n_pes())) {
    brain.add<neuron>(name(i), i);
  }
  const std::vector<synapse> all = synapses();
  for (std::size_t i = 0; world.my_pe() == 0 && i < all.size(); ++i) {
    brain.connect({name(all[i].from), std::to_string(i)}, {name(all[i].to), std::to_string(i)}, {.capacity = 2});
  }
  if (uses_metis) brain.place(dataflow::placement::metis());
  brain.run();
  int n_spikes = 0;
  brain.for_each<neuron>([&](const neuron& its) { n_spikes += its.n_spikes(); });
  n_spikes = world.sum(n_spikes);
  if (world.my_pe() == 0) {
    std::printf("%d spikes of %d neurons in %d steps; %g of %g channels between PEs\n", n_spikes, n_neurons, n_steps,
                brain.placed().cut, brain.placed().channels);
  }
  return n_spikes == spikes_of_a_loop() && n_spikes > n_steps ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& world) { return body(world, argc > 1); });
}
