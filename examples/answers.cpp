// Questions and answers: a future of one answer, answers in order, a handler that asks before it answers, and one that
// answers later.
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

int report(shoal::world& world, const char* what, bool is_right) {
  const bool are_all_right = world.min(is_right ? 1 : 0) == 1;
  if (world.my_pe() == 0) std::printf("%s: %s\n", what, are_all_right ? "right" : "wrong");
  return are_all_right ? 0 : 1;
}

int ask_neighbours(shoal::world& world) {
  std::vector<std::string> names(static_cast<std::size_t>(world.my_pe()) + 1, "herring");
  const shoal::pe_id neighbour = (world.my_pe() + 1) % world.n_pes();
  std::size_t size = 0;
  std::string name;
  // [ask]
  shoal::lambda_actor directory{world, names};
  world.finish([&] {
    auto n_names = directory.ask(neighbour, [](auto& there) { return there.size(); });
    auto last = directory.ask(neighbour, [](auto& there) { return there.back(); });
    last.then([&](std::string its) { name = its; });  // runs when the answer is there
    size = n_names.get();  // waits for it
  });
  // [/ask]
  return report(world, "names asked", size == static_cast<std::size_t>(neighbour) + 1 && name == "herring");
}

int read_in_order(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  std::vector<double> table(1000);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<double>(static_cast<std::int64_t>(i) * n_pes + world.my_pe());
  }
  // [ask_all]
  std::vector<std::int64_t> indices(5000);
  shoal::random_engine random(1, world.my_pe());
  for (std::int64_t& g : indices) g = random.below(1000 * n_pes);
  std::vector<double> values(indices.size());

  shoal::lambda_actor tables{world, table};
  world.finish([&] {
    tables.ask_all(
        indices, values, [n_pes](std::int64_t g) { return g % n_pes; },
        [n_pes](auto& its, std::int64_t g) { return its[g / n_pes]; });
  });
  // [/ask_all]
  bool is_right = true;
  for (std::size_t i = 0; i < indices.size(); ++i) is_right = is_right && values[i] == static_cast<double>(indices[i]);
  return report(world, "values read", is_right);
}

// [coroutine]
// A forest over all PEs: vertex v is on PE v % n_pes. A root is its own parent.
struct forest : shoal::selector<forest, shoal::question<std::int64_t, std::int64_t>> {
  std::int64_t n_pes;
  std::vector<std::int64_t> parents;

  forest(shoal::world& world, std::int64_t n_here) : selector(world), n_pes(world.n_pes()) {
    for (std::int64_t i = 0; i < n_here; ++i) parents.push_back((i * n_pes + world.my_pe()) / 2);
  }

  // The root above v. All vertices on the way become its children.
  shoal::future<std::int64_t> process(std::int64_t v) {
    const std::int64_t parent = parents[v / n_pes];
    if (parent == v) co_return v;
    const std::int64_t root = co_await ask(parent % n_pes, parent);  // other handlers run here
    parents[v / n_pes] = root;
    co_return root;
  }
};
// [/coroutine]

int find_roots(shoal::world& world) {
  constexpr std::int64_t n_here = 300;
  forest trees{world, n_here};
  std::int64_t sum = 0;
  world.finish([&] {
    for (std::int64_t i = 0; i < n_here; ++i) {
      const std::int64_t v = i * world.n_pes() + world.my_pe();
      trees.ask(v % world.n_pes(), v).then([&](std::int64_t root) { sum += root; });
    }
  });
  bool is_right = sum == 0;  // v / 2 leads to 0 in the end
  for (const std::int64_t parent : trees.parents) is_right = is_right && parent == 0;
  return report(world, "roots found", is_right);
}

// [promise]
// A lock that PEs take one after the other. Who comes too early waits for a promise.
struct gate {
  bool is_taken = false;
  std::deque<shoal::promise<void>> waiting;

  shoal::future<void> take() {
    if (std::exchange(is_taken, true)) return waiting.emplace_back().get_future();
    return shoal::future<void>::ready();
  }
  void release() {
    is_taken = !waiting.empty();
    if (!is_taken) return;
    waiting.front().set();
    waiting.pop_front();
  }
};
// [/promise]

int count_behind_a_gate(shoal::world& world) {
  gate its;
  std::int64_t counter = 0;  // on PE 0
  // [promise_use]
  shoal::lambda_actor gates{world, its};
  shoal::lambda_actor counters{world, counter};
  const auto increment = [&]() -> shoal::future<void> {  // lives until finish has returned
    co_await gates.ask(0, [](gate& there) { return there.take(); });
    const std::int64_t before = co_await counters.ask(0, [](std::int64_t& there) { return there; });
    co_await counters.ask(0, [after = before + 1](std::int64_t& there) { there = after; });
    gates.send(0, [](gate& there) { there.release(); });
  };
  world.finish([&] {
    for (int i = 0; i < 10; ++i) increment();  // all ten are under way
  });
  // [/promise_use]
  return report(world, "counted", world.my_pe() != 0 || counter == 10 * world.n_pes());
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    return ask_neighbours(world) + read_in_order(world) + find_roots(world) + count_behind_a_gate(world);
  });
}
