// Does one thing wrong with a graph, named by its first argument, for errors.test.py.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

namespace {

namespace dataflow = shoal::dataflow;

// What the actors below do wrong.
std::string_view mistake;

class source final : public dataflow::actor {
public:
  dataflow::out_port<long> out{*this, "out"};

private:
  void act() override {
    if (mistake == "throw") throw std::runtime_error("no such order");
    if (mistake == "throw_number") throw 7;
    if (mistake == "write_to_full") {
      for (long i = 0; i < 4; ++i) out.write(i);
    }
    if (mistake == "barrier_inside") home().barrier();
    if (mistake == "starve") return finish();
    if (mistake == "finish_later") return shoal::async([this] { finish(); });
    if (mistake == "write_later") return shoal::async([this] { out.write(1); });
    while (n_left_ > 0 && out.free_capacity() > 0) {
      out.write(1);
      --n_left_;
    }
    if (n_left_ == 0) finish();
  }

  int n_left_ = 3;
};

class sink final : public dataflow::actor {
public:
  dataflow::in_port<long> in{*this, "in"};
  dataflow::in_port<long> more{*this, "more", dataflow::port_need::optional};

private:
  void act() override {
    while (mistake == "read_from_empty") static_cast<void>(in.read());
    if (mistake == "peek_behind") static_cast<void>(in.peek(3));
    if (mistake == "read_without_channel") static_cast<void>(more.read());
    if (mistake == "never_read" || mistake == "starve") return;
    while (in.available() > 0) {
      static_cast<void>(in.read());
      if (--n_left_ == 0) return finish();
    }
  }

  int n_left_ = 3;
};

// Passes on what it reads; two of them in a ring wait for each other.
class relay final : public dataflow::actor {
public:
  dataflow::in_port<long> in{*this, "in"};
  dataflow::out_port<long> out{*this, "out"};

private:
  void act() override {
    while (in.available() > 0 && out.free_capacity() > 0) out.write(in.read());
  }
};

class thrower final : public dataflow::actor {
public:
  thrower() { throw std::runtime_error("no stove"); }

private:
  void act() override {}
};

class home_seeker final : public dataflow::actor {
public:
  home_seeker() { static_cast<void>(home()); }

private:
  void act() override {}
};

class twin final : public dataflow::actor {
public:
  dataflow::in_port<long> in{*this, "in"};
  dataflow::in_port<long> also_in{*this, "in"};

private:
  void act() override {}
};

// Destroys a port whose channel is in use.
class dropper final : public dataflow::actor {
public:
  std::unique_ptr<dataflow::in_port<long>> in = std::make_unique<dataflow::in_port<long>>(*this, "in");

private:
  void act() override { in.reset(); }
};

class text_sink final : public dataflow::actor {
public:
  dataflow::in_port<std::string> in{*this, "in"};

private:
  void act() override { finish(); }
};

// Reads another member than it writes.
struct moody {
  int depth = 0;
  std::string text = "seven";

  void serialize(auto& archive) {
    if constexpr (std::remove_reference_t<decltype(archive)>::reads) {
      archive(depth, text);
    } else {
      archive(text);
    }
  }
};
class moody_source final : public dataflow::actor {
public:
  dataflow::out_port<moody> out{*this, "out"};

private:
  void act() override {
    out.write(moody());
    finish();
  }
};
class moody_sink final : public dataflow::actor {
public:
  dataflow::in_port<moody> in{*this, "in"};

private:
  void act() override {
    if (in.available() > 0) finish();
  }
};

// Asks the graph for what cannot be.
class asker final : public dataflow::actor {
public:
  void serialize(auto& archive) {
    if (mistake != "misread_state" || !is_moved_) archive(n_acts_);
  }

private:
  void act() override {
    dataflow::graph& graph = its_graph();
    const shoal::pe_id other = 1 - home().my_pe();
    if (mistake == "move_unmovable") graph.move("sink", other);
    if (mistake == "move_nowhere") graph.move("sink", 7);
    if (mistake == "move_unknown") graph.move("nobody", other);
    if (mistake == "connect_unknown") graph.connect({"source", "out"}, {"nobody", "in"});
    if (mistake == "misread_state") {
      is_moved_ = true;
      return graph.move(name(), other);
    }
    if (mistake == "divide_in_blocks") graph.repartition(dataflow::placement::block());
    if (mistake == "divide_by_file") graph.repartition(dataflow::placement::metis().weighted_by("weights"));
    if (mistake == "divide_unmeasured") graph.repartition(dataflow::placement::scotch());
    if (mistake == "divide_without_metis") take_5_ms();
    if (mistake == "divide_without_metis") return graph.repartition(dataflow::placement::metis());
    if (mistake == "add_lonely") graph.add<sink>("lonely");
    if (mistake == "leave_later") return shoal::async([this] { leave(); });
    finish();
  }

  // As measurements see it, in the simulator, too.
  void take_5_ms() {
    const std::uint64_t end_ns = home().now_ns() + 5'000'000;
    home().charge_ns(5'000'000);
    while (home().now_ns() < end_ns) {
    }
  }

  long n_acts_ = 0;
  bool is_moved_ = false;
};

// A pair of actors with a channel of two tokens, and what is wrong with it.
void declare(dataflow::graph& graph, std::string_view what) {
  const dataflow::channel_options two{.capacity = 2};
  if (what == "ring" || what.starts_with("by_")) {
    for (const char* name : {"a", "b", "c"}) graph.add<relay>(name);
    graph.connect({"a", "out"}, {"b", "in"}, two);
    graph.connect({"b", "out"}, {"c", "in"}, two);
    return graph.connect({"c", "out"}, {"a", "in"}, two);
  }
  if (what == "misread") {
    graph.add<moody_source>({"source", 1, 0});
    graph.add<moody_sink>({"sink", 1, 1});
    return graph.connect({"source", "out"}, {"sink", "in"});
  }
  graph.add<source>("source");
  graph.add<asker>("asker");
  for (int i = 0; i < 8 && what == "divide_without_metis"; ++i) graph.add<asker>("asker " + std::to_string(i));
  if (what == "other_type") {
    graph.add<text_sink>("sink");
  } else if (what == "weightless") {
    graph.add<sink>({"sink", 0});
  } else if (what == "no_such_pe") {
    graph.add<sink>({"sink", 1, 7});
  } else if (what == "drop_port") {
    graph.add<dropper>("sink");
  } else if (what == "throw_in_constructor") {
    graph.add<thrower>("sink");
  } else if (what == "home_in_constructor") {
    graph.add<home_seeker>("sink");
  } else if (what == "twin_ports") {
    graph.add<twin>("sink");
  } else if (what == "null_here") {
    graph.add_here("sink", std::unique_ptr<sink>());
  } else if (what == "weightless_here") {
    graph.add_here({"sink", -3}, std::make_unique<sink>());
  } else if (what == "infinite_weight") {
    graph.add<sink>({"sink", 1e308});
    graph.add<sink>({"other", 1e308});
  } else if (what != "unknown_actor") {
    graph.add<sink>("sink");
  }
  if (what == "same_name") graph.add<sink>("source");
  if (what == "unconnected") return;
  if (what == "weightless_channel") return graph.connect({"source", "out"}, {"sink", "in"}, {.weight = -1});
  if (what == "infinite_channels") {
    graph.connect({"source", "out"}, {"sink", "in"}, {.weight = 1e308});
    return graph.connect({"source", "out"}, {"sink", "more"}, {.weight = 1e308});
  }
  if (what == "no_capacity") return graph.connect({"source", "out"}, {"sink", "in"}, {.capacity = 0});
  graph.connect({"source", what == "unknown_out" ? "output" : "out"}, {"sink", what == "unknown_in" ? "input" : "in"},
                two);
  if (what == "second_channel") {
    graph.add<source>("other");
    graph.connect({"other", "out"}, {"sink", "in"});
  }
  if (what == "second_reader") {
    graph.add<sink>("other");
    graph.connect({"source", "out"}, {"other", "in"});
  }
}

void body(shoal::world& w) {
  dataflow::graph graph(w, "kitchen");
  if (const char* const file = std::getenv("TEST_DRAWN")) graph.draw_stall(file);
  if (w.my_pe() == 0) declare(graph, mistake);
  if (mistake == "placed_nowhere") graph.place(dataflow::placement::by([](const std::string&) { return 9; }));
  if (mistake == "by_metis" || mistake == "infinite_channels") graph.place(dataflow::placement::metis());
  if (mistake == "by_scotch") graph.place(dataflow::placement::scotch());
  if (mistake == "by_missing_weights") graph.place(dataflow::placement::cyclic().weighted_by("/nowhere/weights"));
  if (mistake == "by_other_file") graph.place(dataflow::placement::block().weighted_by("/proc/self/comm"));
  if (mistake == "record_nowhere") graph.record_weights("/nowhere/weights");
  if (mistake == "divide_without_metis") graph.measure_load();
  if (mistake == "divide_early") graph.repartition(dataflow::placement::metis());
  if (mistake == "read_after") {
    graph.run();
    w.finish([&] {
      if (auto* const its = graph.find<sink>("sink")) static_cast<void>(its->in.available() + its->in.read());
    });
  }
  if (mistake == "run_in_finish") w.finish([&] { graph.run(); });
  if (mistake == "build_twice") {
    graph.build();
    graph.build();
  }
  if (mistake == "move_early") graph.move("sink", 0);
  if (mistake == "remove_early") graph.remove("sink");
  graph.run();
  if (mistake == "run_twice") graph.run();
  if (mistake == "add_after") graph.add<sink>("late");
  if (mistake == "record_after") graph.record_weights("weights");
  if (mistake == "measure_after") graph.measure_load();
  if (mistake == "connect_after") graph.connect({"a", "b"}, {"c", "d"});
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argc > 1 ? argv[1] : "";
  return shoal::run(argc, argv, body);
}
