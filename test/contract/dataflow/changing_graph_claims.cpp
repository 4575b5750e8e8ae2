// Claims: a graph whose actors and channels come, go and move while it runs has the tokens that its actors write.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "test/contract/claims.hpp"
#include "test/contract/dataflow/random_graph.hpp"

namespace shoal::test {
namespace {

struct graph_size {
  std::size_t n_actors_max;
  std::uint64_t n_firings_max;
};
constexpr graph_size small_graph{20, 25};
constexpr graph_size large_graph{1000, 4};

random_graph plan_of(std::uint64_t seed, const graph_size& size) {
  return {seed, size.n_actors_max, size.n_firings_max};
}

using digests = std::vector<std::uint64_t>;

// Moves actors about, itself among them, or lets METIS divide all anew, and leaves at its end.
class roaming_actor final : public mixing_actor {
public:
  roaming_actor(std::uint64_t seed, const graph_size& size, std::size_t a, bool leaves, bool divides,
                pe_handle<digests> told)
      : roaming_actor(plan_of(seed, size), seed, a, leaves, divides, told) {}

private:
  roaming_actor(const random_graph& plan, std::uint64_t seed, std::size_t a, bool leaves, bool divides,
                pe_handle<digests> told)
      : mixing_actor(plan, a),
        seed_(seed),
        n_actors_(plan.actors.size()),
        a_(a),
        leaves_(leaves),
        divides_(divides),
        told_(told) {}

  void after_firing() override {
    random_engine random(seed_ ^ digest(), 72);
    if (random.below(3) != 0) return;
    if (divides_ && random.below(4) == 0) {
      take_ns(2'000'000);
      return its_graph().repartition(dataflow::placement::metis());
    }
    const auto to = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(home().n_pes())));
    its_graph().move(name_of_actor(random.below(n_actors_)), to);
  }
  // So that there is something to divide.
  void take_ns(std::uint64_t ns) const {
    const std::uint64_t end_ns = home().now_ns() + ns;
    home().charge_ns(ns);
    while (home().now_ns() < end_ns) {
    }
  }
  void end() override {
    EXPECT_FALSE(has_overlapped());
    home().send(0, [told = told_, a = a_, d = digest()] { told->at(a) += d; });
    leaves_ ? leave() : finish();
  }

  const std::uint64_t seed_;
  const std::size_t n_actors_;
  const std::size_t a_;
  const bool leaves_;
  const bool divides_;
  const pe_handle<digests> told_;
};

// Adds actor `a` of a random graph, the channels to it, and who adds further ones, while the graph runs.
class gardener final : public dataflow::actor {
public:
  gardener(std::uint64_t seed, std::size_t a, pe_handle<digests> told) : seed_(seed), a_(a), told_(told) {}

private:
  void act() override {
    const random_graph plan = plan_of(seed_, small_graph);
    const auto pe_of = [&](std::size_t a) {
      return static_cast<pe_id>((a * 7 + seed_) % static_cast<std::uint64_t>(home().n_pes()));
    };
    for (const std::size_t next : {2 * a_ + 1, 2 * a_ + 2}) {
      if (next >= plan.actors.size()) continue;
      its_graph().add<gardener>({"gardener " + std::to_string(next), 1, pe_of(next + 3)}, seed_, next, told_);
    }
    for (const std::size_t c : plan.actors[a_].in) {
      const random_channel& its = plan.channels[c];
      its_graph().connect({name_of_actor(its.from), name_of_port(c)}, {name_of_actor(its.to), name_of_port(c)},
                          {.capacity = its.capacity});
    }
    its_graph().add<roaming_actor>({name_of_actor(a_), 1, pe_of(a_)}, seed_, small_graph, a_, a_ % 2 == 0, false,
                                   told_);
    leave();
  }

  const std::uint64_t seed_;
  const std::size_t a_;
  const pe_handle<digests> told_;
};

void expect_tokens_of_a_serial_run(world& w, const random_graph& plan, const digests& told) {
  const digests expected = expected_digests(plan);
  for (std::size_t a = 0; w.my_pe() == 0 && a < expected.size(); ++a) EXPECT_EQ(told[a], expected[a]) << a;
}

void run_moving_actors(world& w, std::uint64_t seed, const graph_size& size) {
  const random_graph plan = plan_of(seed, size);
  per_pe<digests> told(w, plan.actors.size());
  dataflow::graph graph(w);
  const bool divides =
      seed % 3 == 0 &&
      !internal::network::find_module(library_kind::metis, w.chosen_settings().modules.value).file.empty();
  if (divides) graph.measure_load();
  for (std::size_t a = 0; a < plan.actors.size() && w.my_pe() == 0; ++a) {
    graph.add<roaming_actor>(name_of_actor(a), seed, size, a, a % 3 == 0, divides, told.handle());
  }
  for (std::size_t c = 0; c < plan.channels.size() && w.my_pe() == w.n_pes() - 1; ++c) {
    const random_channel& its = plan.channels[c];
    graph.connect({name_of_actor(its.from), name_of_port(c)}, {name_of_actor(its.to), name_of_port(c)},
                  {.capacity = its.capacity, .length = 3});
  }
  if (seed % 2 == 0) graph.balance_load();
  graph.run();
  expect_tokens_of_a_serial_run(w, plan, *told);
  std::uint64_t n_here = 0;
  graph.for_each<roaming_actor>([&](const roaming_actor&) { ++n_here; });
  EXPECT_EQ(w.sum(n_here), plan.actors.size() - (plan.actors.size() + 2) / 3);
}

void moving_actors_keep_their_tokens(world& w, std::uint64_t seed) { run_moving_actors(w, seed, small_graph); }
void many_moving_actors_keep_their_tokens(world& w, std::uint64_t seed) { run_moving_actors(w, seed, large_graph); }

void a_graph_may_grow_while_it_runs(world& w, std::uint64_t seed) {
  const random_graph plan = plan_of(seed, small_graph);
  per_pe<digests> told(w, plan.actors.size());
  dataflow::graph graph(w);
  if (w.my_pe() == 0) graph.add<gardener>("gardener 0", seed, std::size_t{0}, told.handle());
  graph.run();
  expect_tokens_of_a_serial_run(w, plan, *told);
  graph.for_each<gardener>([](const gardener&) { ADD_FAILURE() << "a gardener is still there"; });
}

// --- Ports that have several channels, one after the other

// Writes n numbers to each of its readers, one after the other, over one port.
class serial_writer final : public dataflow::actor {
public:
  serial_writer(std::string name_of_readers, int n_readers, int n)
      : readers_(std::move(name_of_readers)), n_readers_(n_readers), n_(n) {}

  void serialize(auto& archive) { archive(reader_, next_); }

private:
  void start() override { connect(); }
  void act() override {
    for (; next_ < n_ && out_.free_capacity() > 0; ++next_) out_.write(100 * reader_ + next_);
    if (next_ < n_) return;
    out_.close();
    EXPECT_FALSE(out_.is_connected());
    if (++reader_ == n_readers_) return finish();
    next_ = 0;
    connect();
  }
  void connect() { its_graph().connect({name(), "out"}, {readers_ + std::to_string(reader_), "in"}, {.capacity = 2}); }

  dataflow::out_port<int> out_{*this, "out", dataflow::port_need::optional};
  const std::string readers_;
  const int n_readers_;
  const int n_;
  int reader_ = 0;
  int next_ = 0;
};

// Reads what `n_writers` writers have for it, and moves on.
class serial_reader final : public dataflow::actor {
public:
  serial_reader(int number, int n_writers, int n, pe_handle<digests> told)
      : number_(number), n_writers_(n_writers), n_(n), told_(told) {}

  void serialize(auto& archive) { archive(n_read_, n_left_); }

private:
  void act() override {
    for (; in_.available() > 0; ++n_read_) {
      EXPECT_EQ(in_.read(), 100 * number_ + n_read_ % n_);
      if (n_read_ == n_ / 2) its_graph().move(name(), (home().my_pe() + 1) % home().n_pes());
    }
    if (!in_.is_connected() || !in_.has_writer_finished()) return;
    EXPECT_EQ(n_read_ % n_, 0);
    in_.close();
    if (++n_left_ < n_writers_) return;
    home().send(0, [told = told_, n = n_read_] { told->at(0) += static_cast<std::uint64_t>(n); });
    leave();
  }

  dataflow::in_port<int> in_{*this, "in", dataflow::port_need::optional};
  const int number_;
  const int n_writers_;
  const int n_;
  const pe_handle<digests> told_;
  int n_read_ = 0;
  int n_left_ = 0;
};

void ports_have_one_channel_after_another(world& w, std::uint64_t seed) {
  constexpr int n_readers = 3;
  const auto n_writers = static_cast<int>(1 + seed % 3);
  const auto n = static_cast<int>(1 + seed % 7);
  per_pe<digests> told(w, 1U);
  dataflow::graph graph(w);
  const auto pe = [&](std::uint64_t a) { return static_cast<pe_id>(a % static_cast<std::uint64_t>(w.n_pes())); };
  if (w.my_pe() == 0) {
    for (int i = 0; i < n_writers; ++i) {
      graph.add<serial_writer>({"writer " + std::to_string(i), 1, pe(seed + static_cast<std::uint64_t>(i))}, "reader ",
                               n_readers, n);
    }
    for (int i = 0; i < n_readers; ++i) {
      graph.add<serial_reader>({"reader " + std::to_string(i), 1, pe(seed / 3 + static_cast<std::uint64_t>(i))}, i,
                               n_writers, n, told.handle());
    }
  }
  graph.run();
  EXPECT_EQ(told->at(0), w.my_pe() == 0 ? static_cast<std::uint64_t>(n_readers * n_writers * n) : 0U);
}

// Reads one token of each of two writers, closes the first port, and moves before it reads on.
class wanderer final : public dataflow::actor {
public:
  explicit wanderer(pe_handle<digests> told) : told_(told) {}

  void serialize(auto& archive) { archive(n_read_); }

private:
  void act() override {
    if (n_read_ == 0 && first_.available() > 0 && second_.available() > 0) {
      n_read_ = 2;
      first_.read();
      second_.read();
      first_.close();
      EXPECT_EQ(first_.available(), 0U);
      its_graph().move(name(), (home().my_pe() + 1) % home().n_pes());
      return;
    }
    if (n_read_ == 0) return;
    EXPECT_EQ(first_.available(), 0U);
    for (; second_.available() > 0; ++n_read_) second_.read();
    if (!second_.has_writer_finished()) return;
    home().send(0, [told = told_, n = n_read_] { told->at(0) += static_cast<std::uint64_t>(n); });
    finish();
  }

  dataflow::in_port<int> first_{*this, "first"};
  dataflow::in_port<int> second_{*this, "second"};
  const pe_handle<digests> told_;
  int n_read_ = 0;
};

class eager final : public dataflow::actor {
public:
  explicit eager(int n) : n_left_(n) {}

private:
  void act() override {
    for (; n_left_ > 0 && out_.free_capacity() > 0; --n_left_) out_.write(n_left_);
    if (n_left_ == 0) finish();
  }

  dataflow::out_port<int> out_{*this, "out"};
  int n_left_;
};

void actors_go_on_without_a_port_that_they_have_closed(world& w, std::uint64_t seed) {
  per_pe<digests> told(w, 1U);
  dataflow::graph graph(w);
  const auto pe = [&](std::uint64_t a) { return static_cast<pe_id>(a % static_cast<std::uint64_t>(w.n_pes())); };
  if (w.my_pe() == 0) {
    graph.add<wanderer>({"wanderer", 1, pe(seed)}, told.handle());
    graph.add<eager>({"first", 1, pe(seed / 2)}, 20);
    graph.add<eager>({"second", 1, pe(seed / 3)}, 9);
    graph.connect({"first", "out"}, {"wanderer", "first"}, {.capacity = 3});
    graph.connect({"second", "out"}, {"wanderer", "second"}, {.capacity = 2});
  }
  graph.run();
  EXPECT_EQ(told->at(0), w.my_pe() == 0 ? 10U : 0U);
}

// --- Removal

class endless final : public dataflow::actor {
public:
  explicit endless(dataflow::firing rule) : actor(rule) {}

  void serialize(auto& archive) { archive(n_acts_); }

private:
  void act() override {
    if (++n_acts_ % 5 == 0) home().ask(0, [] { return 1; }).get();  // the request to leave may come meanwhile
    while (in_.available() > 0 && out_.free_capacity() > 0) out_.write(in_.read() + 1);
  }
  void start() override { out_.write(0); }

  dataflow::in_port<int> in_{*this, "in"};
  dataflow::out_port<int> out_{*this, "out"};
  int n_acts_ = 0;
};

class remover final : public dataflow::actor {
  void act() override {
    for (int i = 0; i < 5; ++i) its_graph().remove("endless " + std::to_string(i));
    its_graph().remove("endless 3");
    its_graph().move("endless 2", (home().my_pe() + 1) % home().n_pes());
    its_graph().add<endless>("lonely", dataflow::firing::on_change);  // which never begins
    its_graph().remove("lonely");
    finish();
  }
};

void removed_actors_end(world& w, std::uint64_t seed) {
  dataflow::graph graph(w);
  if (w.my_pe() == 0) {
    for (int i = 0; i < 5; ++i) {
      graph.add<endless>("endless " + std::to_string(i),
                         i % 2 == 0 ? dataflow::firing::on_all_inputs : dataflow::firing::on_change);
      graph.connect({"endless " + std::to_string(i), "out"}, {"endless " + std::to_string((i + 1) % 5), "in"},
                    {.capacity = 2});
    }
    graph.add<remover>("remover");
  }
  if (seed % 2 == 0) graph.place(dataflow::placement::cyclic());
  graph.run();
  graph.for_each<endless>([](const endless&) { ADD_FAILURE() << "an actor is still there"; });
}

}  // namespace

std::vector<claim> changing_graph_claims() {
  return {
      {"moving_actors_keep_their_tokens", moving_actors_keep_their_tokens, 4},
      {"a_graph_may_grow_while_it_runs", a_graph_may_grow_while_it_runs, 4},
      {"ports_have_one_channel_after_another", ports_have_one_channel_after_another, 4},
      {"actors_go_on_without_a_port_that_they_have_closed", actors_go_on_without_a_port_that_they_have_closed, 4},
      {"removed_actors_end", removed_actors_end, 4},
  };
}

std::vector<claim> large_graph_claims() {
  return {{"many_moving_actors_keep_their_tokens", many_moving_actors_keep_their_tokens, 4}};
}

}  // namespace shoal::test
