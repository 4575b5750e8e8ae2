// Goal: a graph that is divided anew while it runs has about equal work on its PEs, and neighbours on the same ones.
// Method: rings of actors in the simulator, whose acts charge time, and one call to repartition; the time that PEs' clocks show, and
// how many channels end on another PE.
// labels: sim modules
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr int n_ring_steps = 400;
constexpr int n_steps_before = 40;

// A part of a ring, which says so in each step to the next one, and takes `act_ns` for it. The first one divides all anew, once.
class ring_part final : public dataflow::actor {
public:
  ring_part(std::uint64_t ns_of_act, bool divides) : act_ns_(ns_of_act), divides_(divides) {}

  void serialize(auto& archive) { archive(n_, divides_); }
  int n_steps() const { return n_; }

private:
  void start() override { out_.write(1); }
  void act() override {
    while (in_.available() > 0 && out_.free_capacity() > 0) {
      static_cast<void>(in_.read());
      home().charge_ns(act_ns_);
      if (++n_ == n_ring_steps) return finish();
      out_.write(1);
      if (divides_ && n_ == n_steps_before) its_graph().repartition(dataflow::placement::metis());
    }
  }

  dataflow::in_port<int> in_{*this, "in"};
  dataflow::out_port<int> out_{*this, "out"};
  const std::uint64_t act_ns_;
  bool divides_;
  int n_ = 0;
};

struct divided_ring {
  std::uint64_t time_ns = 0;
  std::uint64_t n_cut = 0;  // channels between PEs, at the end
};

using cost_of_part = std::function<std::uint64_t(std::int64_t i, pe_id pe)>;

// 16 parts for each PE.
divided_ring run_ring(pe_id n_pes, const dataflow::placement& at_first, const cost_of_part& cost, bool divides) {
  divided_ring seen;
  run_job(simulated(n_pes), [&](world& w) {
    dataflow::graph graph(w);
    graph.place(at_first);
    graph.measure_load();
    const auto name = [](std::int64_t i) { return "part " + std::to_string(i); };
    const std::int64_t n_all = 16 * n_pes;
    for (std::int64_t i = 16 * w.my_pe(); i < 16 * (w.my_pe() + 1); ++i) {
      graph.add<ring_part>(name(i), cost(i, w.my_pe()), divides && i == 0);
      graph.connect({name(i), "out"}, {name((i + 1) % n_all), "in"}, {.capacity = 2});
    }
    graph.build();
    w.barrier();
    const std::uint64_t begin_ns = w.now_ns();
    graph.run();
    const std::uint64_t time_ns = w.max(w.now_ns() - begin_ns);
    std::uint64_t n_cut = 0;
    for (std::int64_t i = 0; i < n_all; ++i) {
      const auto* const its = graph.find<ring_part>(name(i));
      if (its == nullptr) continue;
      EXPECT_EQ(its->n_steps(), n_ring_steps);
      if (graph.find<ring_part>(name((i + 1) % n_all)) == nullptr) ++n_cut;
    }
    n_cut = w.sum(n_cut);
    if (w.my_pe() == 0) seen = {time_ns, n_cut};
  });
  return seen;
}

double gain_of_division(const divided_ring& before, const divided_ring& after) {
  const double times = static_cast<double>(before.time_ns) / static_cast<double>(after.time_ns);
  std::printf("%.2f times as fast, %d channels between PEs in place of %d\n", times, static_cast<int>(after.n_cut),
              static_cast<int>(before.n_cut));
  return times;
}

class repartition : public testing::Test {
protected:
  void SetUp() override {
    std::string file;
    run_job(simulated(1), [&](const world& w) {
      file = internal::network::find_module(library_kind::metis, w.chosen_settings().modules.value).file;
    });
    if (file.empty()) GTEST_SKIP() << "there is no module for METIS";
  }
};

TEST_F(repartition, work_is_shared_out) {
  const auto half = [](std::int64_t, pe_id pe) -> std::uint64_t { return pe < 8 ? 100'000 : 0; };
  const divided_ring before = run_ring(16, dataflow::placement::block(), half, false);
  const divided_ring after = run_ring(16, dataflow::placement::block(), half, true);
  EXPECT_GT(gain_of_division(before, after), 1.5);
}

TEST_F(repartition, uneven_work_is_shared_out) {
  const auto rising = [](std::int64_t i, pe_id) { return static_cast<std::uint64_t>(i) * 2'000; };
  const divided_ring before = run_ring(4, dataflow::placement::block(), rising, false);
  const divided_ring after = run_ring(4, dataflow::placement::block(), rising, true);
  EXPECT_GT(gain_of_division(before, after), 1.25);
}

TEST_F(repartition, neighbours_come_together) {
  const auto equal = [](std::int64_t, pe_id) -> std::uint64_t { return 20'000; };
  const divided_ring before = run_ring(4, dataflow::placement::cyclic(), equal, false);
  const divided_ring after = run_ring(4, dataflow::placement::cyclic(), equal, true);
  gain_of_division(before, after);
  EXPECT_EQ(before.n_cut, 64U);
  EXPECT_LE(after.n_cut, 6U);
}

TEST_F(repartition, equal_parts_stay) {
  const auto equal = [](std::int64_t, pe_id) -> std::uint64_t { return 20'000; };
  const divided_ring before = run_ring(4, dataflow::placement::block(), equal, false);
  const divided_ring after = run_ring(4, dataflow::placement::block(), equal, true);
  EXPECT_EQ(after.n_cut, 4U);
  EXPECT_LT(gain_of_division(after, before), 1.02);
}

}  // namespace
}  // namespace shoal::test
