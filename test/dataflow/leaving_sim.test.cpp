// Goal: actors that leave give their memory back while the graph runs. Method: a chain of actors in the simulator, of which each adds the
// next one, perhaps on another PE, sends it a token, and leaves; the most that lived at once.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

struct lives {
  std::int64_t now = 0;
  std::int64_t most = 0;
};

class mayfly final : public dataflow::actor {
public:
  mayfly(int n_left, bool is_first, pe_handle<lives> here) : n_left_(n_left), has_token_(is_first), here_(here) {
    ++here_->now;
    here_->most = std::max(here_->most, here_->now);
  }
  ~mayfly() override { --here_->now; }

private:
  void start() override {
    if (n_left_ == 0) return;
    const std::string next = std::to_string(n_left_ - 1);
    const pe_id pe = n_left_ % 3 == 0 ? home().my_pe() : (home().my_pe() + 1) % home().n_pes();
    its_graph().add<mayfly>({next, 1, pe}, n_left_ - 1, false, here_);
    its_graph().connect({name(), "out"}, {next, "in"}, {.capacity = 3});
  }
  void act() override {
    if (!has_token_ && in_.available() > 0) {
      EXPECT_EQ(in_.read(), n_left_ + 1);
      has_token_ = true;
    }
    if (!has_token_ || (n_left_ > 0 && out_.free_capacity() == 0)) return;
    if (n_left_ > 0) out_.write(n_left_);
    leave();
  }

  dataflow::in_port<int> in_{*this, "in", dataflow::port_need::optional};
  dataflow::out_port<int> out_{*this, "out", dataflow::port_need::optional};
  const int n_left_;
  bool has_token_;
  const pe_handle<lives> here_;
};

TEST(leaving, memory_comes_back_while_the_graph_runs) {
  constexpr int n = 2000;
  for (const std::int64_t n_pes : {1, 2, 5}) {
    run_job(simulated(n_pes), [&](world& w) {
      per_pe<lives> here(w);
      dataflow::graph graph(w);
      if (w.my_pe() == 0) graph.add<mayfly>(std::to_string(n), n, true, here.handle());
      graph.run();
      EXPECT_EQ(here->now, 0);
      EXPECT_LT(w.max(here->most), 50);  // the chain grows faster than tokens go along it
    });
  }
}

}  // namespace
}  // namespace shoal::test
