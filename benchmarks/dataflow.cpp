// What a token and an act of an actor graph cost: tokens over a channel between two actors of a PE and of two PEs, and acts that
// find nothing to do.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/dataflow.hpp"

namespace {

using namespace shoal;

// Writes the numbers from 0 to n - 1.
class source final : public dataflow::actor {
public:
  explicit source(std::uint64_t n) : n_(n) {}

private:
  void act() override {
    for (std::uint32_t room = out_.free_capacity(); room > 0 && next_ < n_; --room) out_.write(next_++);
    if (next_ == n_) finish();
  }

  dataflow::out_port<std::uint64_t> out_{*this, "out"};
  const std::uint64_t n_;
  std::uint64_t next_ = 0;
};

// Adds up as many.
class sink final : public dataflow::actor {
public:
  explicit sink(std::uint64_t n) : n_left_(n) {}
  std::uint64_t sum() const noexcept { return sum_; }

private:
  void act() override {
    for (std::uint32_t n = in_.available(); n > 0; --n, --n_left_) sum_ += in_.read();
    if (n_left_ == 0) finish();
  }

  dataflow::in_port<std::uint64_t> in_{*this, "in"};
  std::uint64_t n_left_;
  std::uint64_t sum_ = 0;
};

// One of a ring that passes a number on until it has gone round n times.
class relay final : public dataflow::actor {
public:
  relay(std::uint64_t n, bool begins) : actor(dataflow::firing::on_all_inputs), n_left_(n), begins_(begins) {}
  std::uint64_t sum() const noexcept { return sum_; }

private:
  void start() override {
    if (begins_) out_.write(1);
  }
  void act() override {
    const std::uint64_t number = in_.read();
    sum_ += number;
    if (--n_left_ > 0 || !begins_) out_.write(number + 1);
    if (n_left_ == 0) finish();
  }

  dataflow::in_port<std::uint64_t> in_{*this, "in"};
  dataflow::out_port<std::uint64_t> out_{*this, "out"};
  std::uint64_t n_left_;
  const bool begins_;
  std::uint64_t sum_ = 0;
};

// Tokens of a channel with `capacity` between two actors, the reader on PE `reader_pe`.
void measure_channel(world& w, bench::benchmark& all, const std::string& name, std::uint32_t capacity,
                     pe_id reader_pe) {
  const std::uint64_t n = all.is_smoke() ? 1'000 : 2'000'000;
  std::uint64_t sum = 0;
  all.measure(
      {name, static_cast<double>(n)},
      [&] {
        dataflow::graph graph(w);
        if (w.my_pe() == 0) {
          graph.add<source>({"source", 1, 0}, n);
          graph.add<sink>({"sink", 1, reader_pe}, n);
          graph.connect({"source", "out"}, {"sink", "in"}, {.capacity = capacity});
        }
        graph.run();
        const sink* const its = graph.find<sink>("sink");
        sum = w.sum(its == nullptr ? 0 : its->sum());
      },
      [&] { return sum == n * (n - 1) / 2; });
}

// Acts of actors in a ring, each of which passes one number on.
void measure_ring(world& w, bench::benchmark& all, const std::string& name, std::uint64_t n_actors) {
  const std::uint64_t n_rounds = (all.is_smoke() ? 1'000 : 1'000'000) / n_actors;
  std::uint64_t sum = 0;
  const std::uint64_t n_acts = n_rounds * n_actors;
  all.measure(
      {name, static_cast<double>(n_acts)},
      [&] {
        dataflow::graph graph(w);
        for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_actors; ++i) {
          graph.add<relay>({std::to_string(i), 1, 0}, n_rounds, i == 0);
          graph.connect({std::to_string(i), "out"}, {std::to_string((i + 1) % n_actors), "in"});
        }
        graph.run();
        std::uint64_t here = 0;
        graph.for_each<relay>([&](const relay& each) { here += each.sum(); });
        sum = w.sum(here);
      },
      [&] { return sum == n_acts * (n_acts + 1) / 2; });
}

void measure(world& w, bench::benchmark& all) {
  measure_channel(w, all, "local_64", 64, 0);
  measure_channel(w, all, "local_1", 1, 0);
  measure_ring(w, all, "act", 2);
  measure_ring(w, all, "act_of_100", 100);
  if (w.n_pes() > 1) measure_channel(w, all, "to_other_pe", 4'096, 1);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_one(argc, argv, "dataflow", measure); }
