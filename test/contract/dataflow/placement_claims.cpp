// Claims: placements put actors of about equal weight on each PE; those by METIS and Scotch cut few channels; what a
// run has measured places the next.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "shoal/base/settings.hpp"
#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "test/contract/dataflow/placement_claims.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t n_rounds_of_ring = 5;

// Passes on n numbers, which begin as 1 and grow in each actor of a ring. Each act takes `act_ns` in the simulator.
class ring_member final : public dataflow::actor {
public:
  explicit ring_member(std::uint64_t act_ns) : actor(dataflow::firing::on_all_inputs), act_ns_(act_ns) {}
  std::uint64_t sum() const noexcept { return sum_; }

private:
  void start() override { out_.write(1); }
  void act() override {
    if (out_.free_capacity() == 0) return;
    home().charge_ns(act_ns_);
    const std::uint64_t number = in_.read();
    sum_ += number;
    if (number == n_rounds_of_ring) return finish();
    out_.write(number + 1);
  }

  dataflow::in_port<std::uint64_t> in_{*this, "in"};
  dataflow::out_port<std::uint64_t> out_{*this, "out"};
  const std::uint64_t act_ns_;
  std::uint64_t sum_ = 0;
};

std::string name_of_member(std::uint64_t i) { return "member " + std::to_string(i); }

// A ring whose first actors are heavy: PE 0 adds all actors unless each PE adds some, and each PE some channels.
void add_ring(dataflow::graph& graph, const world& w, std::uint64_t n, std::uint64_t n_heavy, bool each_adds = false) {
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t adder = each_adds ? (7 * i) % static_cast<std::uint64_t>(w.n_pes()) : 0;
    if (static_cast<std::uint64_t>(w.my_pe()) == adder) {
      graph.add<ring_member>(name_of_member(i), std::uint64_t{i < n_heavy ? 50'000U : 5'000U});
    }
    if (i % static_cast<std::uint64_t>(w.n_pes()) != static_cast<std::uint64_t>(w.my_pe())) continue;
    graph.connect({name_of_member(i), "out"}, {name_of_member((i + 1) % n), "in"}, {.capacity = 2});
  }
}

void expect_tokens_in_ring(const dataflow::graph& graph) {
  graph.for_each<ring_member>(
      [](const ring_member& its) { EXPECT_EQ(its.sum(), n_rounds_of_ring * (n_rounds_of_ring + 1) / 2); });
}

void rings_are_cut_where_few_channels_are(world& w, std::uint64_t seed) {
  constexpr std::uint64_t n = 64;
  const std::vector<dataflow::placement> all = placements(w);
  const dataflow::placement& how = all[seed % all.size()];
  dataflow::graph graph(w);
  add_ring(graph, w, n, 0);
  graph.place(how);
  graph.run();
  expect_tokens_in_ring(graph);
  const dataflow::placement_result its = graph.placed();
  EXPECT_EQ(its.channels, n);
  if (w.n_pes() == 1) {
    EXPECT_EQ(its.cut, 0);
  } else if (how.its_kind() == dataflow::placement::kind::cyclic) {
    EXPECT_GE(its.cut, n - 1);
  } else if (w.n_pes() <= 16) {
    EXPECT_LE(its.cut, static_cast<double>(w.n_pes()) + 2);
  }
  // 64 actors do not divide by most numbers of PEs.
  EXPECT_LE(its.imbalance, 1.1 + static_cast<double>(w.n_pes()) / n);
}

void libraries_find_the_same_places_whoever_adds_actors(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 40;
  for (const dataflow::placement& how : placements(w)) {
    if (how.its_kind() == dataflow::placement::kind::block || how.its_kind() == dataflow::placement::kind::cyclic)
      continue;
    std::vector<bool> is_here[2];
    for (const bool each_adds : {false, true}) {
      dataflow::graph graph(w);
      add_ring(graph, w, n, 0, each_adds);
      graph.place(how);
      graph.build();
      for (std::uint64_t i = 0; i < n; ++i) {
        is_here[each_adds].push_back(graph.find<ring_member>(name_of_member(i)) != nullptr);
      }
    }
    EXPECT_EQ(is_here[0], is_here[1]);
  }
}

std::string name_of_temporary() {
  static std::atomic<int> n{0};
  return (std::filesystem::temp_directory_path() /
          ("shoal-weights-" + std::to_string(::getpid()) + "-" + std::to_string(++n)))
      .string();
}

// A quarter of the actors takes ten times as long as others. In the simulator their times are what they declare, on
// PEs of one speed.
void measured_weights_place_the_next_run(world& w, std::uint64_t seed) {
  constexpr std::uint64_t n = 64;
  const std::string file = name_of_temporary();  // that of PE 0 counts
  {
    dataflow::graph graph(w);
    add_ring(graph, w, n, n / 4);
    graph.record_weights(file);
    graph.run();
    expect_tokens_in_ring(graph);
  }
  const std::vector<dataflow::placement> all = placements(w);
  const dataflow::placement& how = all[seed % all.size()];
  dataflow::graph graph(w);
  add_ring(graph, w, n, n / 4);
  graph.place(how.weighted_by(file));
  graph.run();
  if (w.my_pe() == 0) std::remove(file.c_str());
  expect_tokens_in_ring(graph);
  const dataflow::placement_result its = graph.placed();
  EXPECT_EQ(its.channels, n * n_rounds_of_ring);  // its weights are tokens
  const settings& chosen = w.chosen_settings();
  const bool has_times = chosen.substrate.value == substrate_kind::sim && chosen.sim.value.slow_share == 0;
  if (!has_times || w.n_pes() > 4 || how.its_kind() == dataflow::placement::kind::cyclic) return;
  EXPECT_LE(its.imbalance, 1.35);
  if (w.n_pes() < 3) return;
  std::uint64_t n_heavy_here = 0;
  for (std::uint64_t i = 0; i < n / 4; ++i) n_heavy_here += graph.find<ring_member>(name_of_member(i)) != nullptr;
  EXPECT_LT(w.max(n_heavy_here), n / 4) << "one PE has all that take long";
}

}  // namespace

std::vector<dataflow::placement> placements(const world& w) {
  std::vector<dataflow::placement> all = {dataflow::placement::block(), dataflow::placement::cyclic()};
  const auto has_module = [&](library_kind library) {
    return !internal::network::find_module(library, w.chosen_settings().modules.value).file.empty();
  };
  if (has_module(library_kind::metis)) all.push_back(dataflow::placement::metis());
  if (has_module(library_kind::scotch)) all.push_back(dataflow::placement::scotch());
  return all;
}

std::vector<claim> placement_claims() {
  return {
      {"rings_are_cut_where_few_channels_are", rings_are_cut_where_few_channels_are, 4},
      {"libraries_find_the_same_places_whoever_adds_actors", libraries_find_the_same_places_whoever_adds_actors, 4},
      {"measured_weights_place_the_next_run", measured_weights_place_the_next_run, 4},
  };
}

}  // namespace shoal::test
