// Two actors and a channel: a chef writes orders to an out-port, and delivery reads them from an in-port. The program of "An
// Actor Library for MPI" (2019), section 3.2, which prints the same lines, in an order that no run promises.
// pes: 1 2 3 4 7
#include <cstdio>

#include <shoal/dataflow.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr int end_token = -1;

// [actors]
class chef final : public shoal::dataflow::actor {
public:
  explicit chef(int n_orders) : n_orders_(n_orders) {}

private:
  void act() override {
    while (orders_.free_capacity() > 0) {
      if (n_completed_ == n_orders_) {
        orders_.write(end_token);
        return finish();
      }
      orders_.write(++n_completed_);
      std::printf("Order number %d is ready to be delivered.\n", n_completed_);
    }
  }

  shoal::dataflow::out_port<int> orders_{*this, "orders"};
  const int n_orders_;
  int n_completed_ = 0;
};

class delivery final : public shoal::dataflow::actor {
  void act() override {
    while (orders_.available() > 0) {
      const int order = orders_.read();
      if (order == end_token) return finish();
      std::printf("To deliver order number %d.\n", order);
    }
  }

  shoal::dataflow::in_port<int> orders_{*this, "orders"};
};
// [/actors]

void body(shoal::world& world) {
  // [graph]
  shoal::dataflow::graph kitchen(world);
  if (world.my_pe() == 0) {
    kitchen.add<chef>("chef", 10);
    kitchen.add<delivery>("delivery");
    kitchen.connect({"chef", "orders"}, {"delivery", "orders"}, {.capacity = 5});
  }
  kitchen.run();
  // [/graph]
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, body); }
