// Claims: a graph's tokens are what its actors write, however they are placed and whoever acts when.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"
#include "test/contract/dataflow/placement_claims.hpp"
#include "test/contract/dataflow/random_graph.hpp"

namespace shoal::test {
namespace {

constexpr std::size_t n_actors_max = 24;
constexpr std::uint64_t n_firings_max = 40;

dataflow::placement placement_of(std::uint64_t seed, const world& w) {
  std::vector<dataflow::placement> all = placements(w);
  all.push_back(dataflow::placement::by([seed, n_pes = w.n_pes()](const std::string& name) {
    return static_cast<pe_id>((name.size() + static_cast<std::size_t>(name.back()) + seed) %
                              static_cast<std::uint64_t>(n_pes));
  }));
  return all[seed % all.size()];
}

// All actors are added by PE 0, or each by a PE of its own; channels likewise, by another PE.
void tokens_are_those_of_a_serial_run(world& w, std::uint64_t seed) {
  const random_graph plan(seed, n_actors_max, n_firings_max);
  dataflow::graph graph(w);
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const auto me = static_cast<std::uint64_t>(w.my_pe());
  for (std::size_t a = 0; a < plan.actors.size(); ++a) {
    if ((seed % 2 == 0 ? 0 : a % n_pes) != me) continue;
    if (a % 5 == 4) {
      graph.add_here(name_of_actor(a), std::make_unique<mixing_actor>(plan, a));
    } else if (a % 5 == 3) {
      graph.add<mixing_actor>({name_of_actor(a), 1.5, static_cast<pe_id>((a + seed) % n_pes)}, seed, n_actors_max,
                              n_firings_max, a);
    } else {
      graph.add<mixing_actor>(name_of_actor(a), seed, n_actors_max, n_firings_max, a);
    }
  }
  for (std::size_t c = 0; c < plan.channels.size(); ++c) {
    if ((seed % 4 < 2 ? 0 : (c + 1) % n_pes) != me) continue;
    const random_channel& its = plan.channels[c];
    graph.connect({name_of_actor(its.from), name_of_port(c)}, {name_of_actor(its.to), name_of_port(c)},
                  {.capacity = its.capacity, .length = 8});
  }
  graph.place(placement_of(seed, w));
  graph.run();
  const std::vector<std::uint64_t> expected = expected_digests(plan);
  std::uint64_t n_here = 0;
  for (std::size_t a = 0; a < plan.actors.size(); ++a) {
    const auto* const its = graph.find<mixing_actor>(name_of_actor(a));
    if (its == nullptr) continue;
    ++n_here;
    EXPECT_EQ(its->digest(), expected[a]) << name_of_actor(a);
    EXPECT_EQ(its->n_left(), 0U);
    EXPECT_FALSE(its->has_overlapped());
  }
  EXPECT_EQ(w.sum(n_here), plan.actors.size());
}

// A type with more than the container that it is, and one that reads less for some tokens than for others.
struct named_numbers : std::vector<double> {
  std::int64_t id = 0;

  void serialize(auto& archive) { archive(static_cast<std::vector<double>&>(*this), id); }
};
struct sparse_pair {
  std::int64_t number = 0;
  std::int64_t square = 0;

  void serialize(auto& archive) {
    archive(number);
    if (number % 3 == 0) archive(square);
  }
};

constexpr std::int64_t n_tokens = 30;

class rich_source final : public dataflow::actor {
public:
  explicit rich_source(const std::string& text) : text_(text) {}

private:
  void act() override {
    for (; next_ < n_tokens && named_.free_capacity() > 0 && pairs_.free_capacity() > 0; ++next_) {
      named_numbers named;
      named.assign(static_cast<std::size_t>(next_ % 4), 0.5);
      named.id = next_ + static_cast<std::int64_t>(text_.size());
      named_.write(named);
      pairs_.write({next_, next_ % 3 == 0 ? next_ * next_ : 0});
    }
    if (next_ == n_tokens) finish();
  }

  dataflow::out_port<named_numbers> named_{*this, "named"};
  dataflow::out_port<sparse_pair> pairs_{*this, "pairs"};
  const std::string text_;
  std::int64_t next_ = 0;
};

class rich_sink final : public dataflow::actor {
public:
  rich_sink() : actor(dataflow::firing::on_all_inputs) {}
  std::int64_t n_wrong() const noexcept { return n_wrong_; }

private:
  void act() override {
    const named_numbers named = named_.read();
    const sparse_pair pair = pairs_.read();
    n_wrong_ += named.id != next_ + 5 || named.size() != static_cast<std::size_t>(next_ % 4) || pair.number != next_ ||
                pair.square != (next_ % 3 == 0 ? next_ * next_ : 0);
    if (++next_ == n_tokens) finish();
  }

  dataflow::in_port<named_numbers> named_{*this, "named"};
  dataflow::in_port<sparse_pair> pairs_{*this, "pairs"};
  std::int64_t next_ = 0;
  std::int64_t n_wrong_ = 0;
};

void tokens_arrive_as_they_were_written(world& w, std::uint64_t seed) {
  dataflow::graph graph(w);
  if (w.my_pe() == 0) {
    std::string text = "seven";
    graph.add<rich_source>({"source", 1, 0}, std::string_view(text).substr(0, 5));
    text = "gone!";
    graph.add<rich_sink>({"sink", 1, static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()))});
    graph.connect({"source", "named"}, {"sink", "named"}, {.capacity = 3});
    graph.connect({"source", "pairs"}, {"sink", "pairs"}, {.capacity = 2});
  }
  graph.run();
  graph.for_each<rich_sink>([](const rich_sink& its) { EXPECT_EQ(its.n_wrong(), 0); });
}

// Writes a token while a scope of tasks is open. Its reader then waits for another token, which is written after the scope.
class scope_opener final : public dataflow::actor {
  void act() override {
    {
      task_scope both;
      both.async([this] { ++n_done_; });
      out_.write(1);
    }
    out_.write(n_done_);
    finish();
  }

  dataflow::out_port<int> out_{*this, "out"};
  int n_done_ = 0;
};

// Waits in an act until both tokens are there.
class patient final : public dataflow::actor {
public:
  int sum() const noexcept { return sum_; }

private:
  void act() override {
    while (n_read_ < 2) {
      if (in_.available() > 0) {
        sum_ += in_.read();
        ++n_read_;
      } else if (n_read_ == 0) {
        return;
      } else {
        yield_task();
      }
    }
    finish();
  }

  dataflow::in_port<int> in_{*this, "in"};
  int sum_ = 0;
  int n_read_ = 0;
};

void a_scope_in_an_act_waits_for_its_own_tasks(world& w, std::uint64_t seed) {
  dataflow::graph graph(w);
  if (w.my_pe() == 0) {
    const auto pe = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
    graph.add<scope_opener>({"opener", 1, pe});
    graph.add<patient>({"patient", 1, pe});
    graph.connect({"opener", "out"}, {"patient", "in"}, {.capacity = 2});
  }
  graph.run();
  graph.for_each<patient>([](const patient& its) { EXPECT_EQ(its.sum(), 2); });
}

}  // namespace

std::vector<claim> graph_claims() {
  std::vector<claim> all = {
      {"tokens_arrive_as_they_were_written", tokens_arrive_as_they_were_written, 4},
      {"a_scope_in_an_act_waits_for_its_own_tasks", a_scope_in_an_act_waits_for_its_own_tasks, 4},
      {"tokens_are_those_of_a_serial_run", tokens_are_those_of_a_serial_run, 4},
  };
  const std::vector<claim> of_placements = placement_claims();
  all.insert(all.end(), of_placements.begin(), of_placements.end());
  return all;
}

}  // namespace shoal::test
