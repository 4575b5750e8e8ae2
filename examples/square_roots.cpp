// An actor in declared form. It passes on square roots until a negative number comes; from then on it is in another state, in
// which it passes on nothing but how many numbers it has dropped.
// pes: 1 2 3 4 7
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <shoal/dataflow.hpp>
#include <shoal/shoal.hpp>

namespace {

namespace dataflow = shoal::dataflow;

constexpr double end_token = std::numeric_limits<double>::infinity();

class source final : public dataflow::actor {
public:
  explicit source(const std::vector<double>& numbers) : numbers_(numbers) { numbers_.push_back(end_token); }

private:
  void act() override {
    for (; next_ < numbers_.size() && out_.free_capacity() > 0; ++next_) out_.write(numbers_[next_]);
    if (next_ == numbers_.size()) finish();
  }

  dataflow::out_port<double> out_{*this, "out"};
  std::vector<double> numbers_;
  std::size_t next_ = 0;
};

// [machine]
enum class phase { normal, received_negative, ended };

class square_root final : public dataflow::state_machine<phase> {
public:
  square_root() : state_machine(phase::normal) {
    const auto has_next = [this] { return in_.available() > 0 && out_.free_capacity() > 0; };
    const auto is_end = [this, has_next] { return has_next() && in_.peek() == end_token; };
    const auto is_negative = [this, has_next] { return has_next() && in_.peek() < 0; };
    const auto pass_on_end = [this] { out_.write(in_.read()); };
    const auto drop = [this] { ++n_dropped_, in_.read(); };

    transition(phase::normal, is_end, pass_on_end, phase::ended);
    transition(phase::normal, is_negative, drop, phase::received_negative);
    transition(phase::normal, has_next, [this] { out_.write(std::sqrt(in_.read())); }, phase::normal);
    transition(phase::received_negative, is_end, pass_on_end, phase::ended);
    transition(phase::received_negative, has_next, drop, phase::received_negative);
    final_state(phase::ended);
  }

  int n_dropped() const { return n_dropped_; }

private:
  dataflow::in_port<double> in_{*this, "in"};
  dataflow::out_port<double> out_{*this, "out"};
  int n_dropped_ = 0;
};
// [/machine]

class sink final : public dataflow::actor {
public:
  double sum() const { return sum_; }

private:
  void act() override {
    while (in_.available() > 0) {
      const double number = in_.read();
      if (number == end_token) return finish();
      sum_ += number;
    }
  }

  dataflow::in_port<double> in_{*this, "in"};
  double sum_ = 0;
};

int body(shoal::world& world) {
  dataflow::graph graph(world);
  if (world.my_pe() == 0) {
    graph.add<source>("source", std::vector<double>{4, 9, 16, 25, -1, 36, 49});
    graph.add<square_root>("square root");
    graph.add<sink>("sink");
    graph.connect({"source", "out"}, {"square root", "in"}, {.capacity = 2});
    graph.connect({"square root", "out"}, {"sink", "in"}, {.capacity = 2});
  }
  graph.place(dataflow::placement::cyclic());
  graph.run();
  const auto* const root = graph.find<square_root>("square root");
  const auto* const last = graph.find<sink>("sink");
  const int n_dropped = world.sum(root == nullptr ? 0 : root->n_dropped());
  const double sum = world.sum(last == nullptr ? 0.0 : last->sum());
  if (world.my_pe() == 0) std::printf("sum of square roots: %g; numbers dropped: %d\n", sum, n_dropped);
  return sum == 2 + 3 + 4 + 5 && n_dropped == 3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, body); }
