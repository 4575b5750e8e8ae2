// Goal: PEs without work take actors from those that have it, and the graph ends sooner; with equal work they leave each other alone.
// Method: rings of actors in the simulator, whose acts charge time, with all work on some PEs; the time that PEs' clocks show.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t act_ns = 100'000;

// Passes a token to its neighbour in each step, as patches of a simulation do, and computes if it has `work`.
class cell final : public dataflow::actor {
public:
  cell(int n_steps, bool has_work) : n_left_(n_steps), has_work_(has_work) {}

  void serialize(auto& archive) { archive(n_left_, sum_); }

  std::uint64_t sum() const { return sum_; }

private:
  void start() override { out_.write(1); }
  void act() override {
    while (in_.available() > 0 && out_.free_capacity() > 0) {
      const std::uint64_t token = in_.read();
      sum_ += token;
      if (has_work_) home().charge_ns(act_ns);
      if (--n_left_ == 0) return finish();
      out_.write(token + 1);
    }
  }

  dataflow::in_port<std::uint64_t> in_{*this, "in"};
  dataflow::out_port<std::uint64_t> out_{*this, "out"};
  int n_left_;
  const bool has_work_;
  std::uint64_t sum_ = 0;
};

struct outcome {
  std::uint64_t time_ns = 0;
  std::uint64_t n_moved = 0;
};

// `n_cells` for each PE. Those of the first `n_busy` PEs have work.
outcome run_cells(pe_id n_pes, int n_cells, pe_id n_busy, bool balances) {
  constexpr int n_steps = 400;
  outcome seen;
  run_job(simulated(n_pes), [&](world& w) {
    dataflow::graph graph(w);
    const auto name = [](std::int64_t i) { return "cell " + std::to_string(i); };
    const std::int64_t n_all = n_cells * n_pes;
    for (std::int64_t i = n_cells * w.my_pe(); i < n_cells * (w.my_pe() + 1); ++i) {
      graph.add<cell>({name(i), 1, w.my_pe()}, n_steps, w.my_pe() < n_busy);
      graph.connect({name(i), "out"}, {name((i + 1) % n_all), "in"}, {.capacity = 2});
    }
    if (balances) graph.balance_load();
    graph.build();
    w.barrier();
    const std::uint64_t begin_ns = w.now_ns();
    graph.run();
    const std::uint64_t time_ns = w.max(w.now_ns() - begin_ns);
    std::uint64_t n_here = 0;
    graph.for_each<cell>([&](const cell& its) {
      EXPECT_EQ(its.sum(), std::uint64_t{n_steps} * (n_steps + 1) / 2);
      ++n_here;
    });
    const std::uint64_t n_more =
        w.sum(n_here > static_cast<std::uint64_t>(n_cells) ? n_here - static_cast<std::uint64_t>(n_cells) : 0);
    if (w.my_pe() == 0) seen = {time_ns, n_more};
  });
  return seen;
}

double gain(pe_id n_pes, int n_cells, pe_id n_busy) {
  const outcome fixed = run_cells(n_pes, n_cells, n_busy, false);
  const outcome balanced = run_cells(n_pes, n_cells, n_busy, true);
  EXPECT_EQ(fixed.n_moved, 0U);
  EXPECT_GT(balanced.n_moved, 0U);
  const double times = static_cast<double>(fixed.time_ns) / static_cast<double>(balanced.time_ns);
  std::printf("%d PEs, %d of them busy with %d cells: %.2f times as fast\n", static_cast<int>(n_pes),
              static_cast<int>(n_busy), n_cells, times);
  return times;
}

TEST(balance, half_of_two_pes_have_work) { EXPECT_GT(gain(2, 16, 1), 1.5); }
TEST(balance, half_of_sixteen_pes_have_work) { EXPECT_GT(gain(16, 16, 8), 1.6); }
TEST(balance, one_of_five_pes_has_work) { EXPECT_GT(gain(5, 20, 1), 2.5); }

TEST(balance, equal_work_stays_where_it_is) {
  const outcome fixed = run_cells(4, 16, 4, false);
  const outcome balanced = run_cells(4, 16, 4, true);
  EXPECT_LT(static_cast<double>(balanced.time_ns), 1.05 * static_cast<double>(fixed.time_ns));
  EXPECT_LT(balanced.n_moved, 4U);
}

}  // namespace
}  // namespace shoal::test
