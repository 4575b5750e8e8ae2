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
  cell(int n_steps, bool has_work) : n_steps_(n_steps), n_left_(n_steps), has_work_(has_work) {}

  int n_steps() const { return n_steps_; }
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
  const int n_steps_;
  int n_left_;
  const bool has_work_;
  std::uint64_t sum_ = 0;
};

struct outcome {
  std::uint64_t time_ns = 0;
  std::uint64_t n_moved = 0;
};

constexpr int n_steps_of_all = 400;

struct shape {
  pe_id n_pes = 1;
  int n_cells = 16;  // for each PE
  pe_id n_busy = 1;  // the cells of the first PEs have work
  // The cells of each PE are a ring of their own, and those of the others have so many steps. 0: all are one ring.
  int n_steps_of_others = 0;
  pe_id only = -1;  // the PE that has all cells, in rings of their own, and others have none
};

outcome run_cells(const shape& of, bool balances) {
  const auto [n_pes, n_cells, n_busy, n_steps_of_others, only] = of;
  const bool is_one_ring = n_steps_of_others == 0 && only < 0;
  outcome seen;
  run_job(simulated(n_pes), [&](world& w) {
    const bool is_busy = only < 0 ? w.my_pe() < n_busy : w.my_pe() == only;
    const int n_steps = is_one_ring || is_busy ? n_steps_of_all : n_steps_of_others;
    dataflow::graph graph(w);
    const auto name = [](std::int64_t i) { return "cell " + std::to_string(i); };
    const std::int64_t first = n_cells * w.my_pe();
    for (std::int64_t i = first; i < first + n_cells && (only < 0 || is_busy); ++i) {
      const std::int64_t next = is_one_ring ? (i + 1) % (n_cells * n_pes) : first + (i + 1 - first) % n_cells;
      graph.add<cell>({name(i), 1, w.my_pe()}, n_steps, is_busy || !is_one_ring);
      graph.connect({name(i), "out"}, {name(next), "in"}, {.capacity = 2});
    }
    if (balances) graph.balance_load();
    graph.build();
    w.barrier();
    const std::uint64_t begin_ns = w.now_ns();
    graph.run();
    const std::uint64_t time_ns = w.max(w.now_ns() - begin_ns);
    std::uint64_t n_here = 0;
    graph.for_each<cell>([&](const cell& its) {
      const auto n = static_cast<std::uint64_t>(its.n_steps());
      EXPECT_EQ(its.sum(), n * (n + 1) / 2);
      ++n_here;
    });
    const std::uint64_t n_more =
        w.sum(n_here > static_cast<std::uint64_t>(n_cells) ? n_here - static_cast<std::uint64_t>(n_cells) : 0);
    if (w.my_pe() == 0) seen = {time_ns, n_more};
  });
  return seen;
}

double gain(const shape& of) {
  const outcome fixed = run_cells(of, false);
  const outcome balanced = run_cells(of, true);
  EXPECT_EQ(fixed.n_moved, 0U);
  EXPECT_GT(balanced.n_moved, 0U);
  const double times = static_cast<double>(fixed.time_ns) / static_cast<double>(balanced.time_ns);
  std::printf("%d PEs, %d of them busy with %d cells: %.2f times as fast\n", static_cast<int>(of.n_pes),
              static_cast<int>(of.n_busy), of.n_cells, times);
  return times;
}

TEST(balance, half_of_two_pes_have_work) { EXPECT_GT(gain({.n_pes = 2}), 1.7); }
TEST(balance, half_of_sixteen_pes_have_work) { EXPECT_GT(gain({.n_pes = 16, .n_busy = 8}), 1.7); }
TEST(balance, one_of_five_pes_has_work) { EXPECT_GT(gain({.n_pes = 5, .n_cells = 20}), 3.5); }
// Their own actors have finished long ago.
TEST(balance, pes_that_are_done_help) { EXPECT_GT(gain({.n_pes = 4, .n_steps_of_others = 40}), 2.5); }

TEST(balance, whoever_has_actors_is_found) {
  for (const pe_id n_pes : {2, 3, 5, 6, 8, 20}) {
    for (pe_id pe = 0; pe < n_pes; ++pe) {
      SCOPED_TRACE(std::to_string(pe) + " of " + std::to_string(n_pes));
      const shape one{.n_pes = n_pes, .n_cells = static_cast<int>(2 * n_pes), .only = pe};
      const double most = static_cast<double>(run_cells(one, false).time_ns);
      EXPECT_GT(most / static_cast<double>(run_cells(one, true).time_ns), 0.4 * static_cast<double>(n_pes));
    }
  }
}

TEST(balance, equal_work_stays_where_it_is) {
  const shape equal{.n_pes = 4, .n_busy = 4};
  const outcome fixed = run_cells(equal, false);
  const outcome balanced = run_cells(equal, true);
  EXPECT_LT(static_cast<double>(balanced.time_ns), 1.05 * static_cast<double>(fixed.time_ns));
  EXPECT_LT(balanced.n_moved, 4U);
}

}  // namespace
}  // namespace shoal::test
