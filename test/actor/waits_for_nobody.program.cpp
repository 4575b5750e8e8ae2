// A mistake of docs/mistakes.md: all PEs wait for an answer that nobody sends. With the argument "loop", they wait in a loop
// of their own.
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include <shoal/shoal.hpp>

namespace {

void by_future(shoal::world& world) {
  // [future]
  // Values by name. Who asks for one that is not there yet gets it later.
  struct board {
    std::map<std::string, double> values;
    std::multimap<std::string, shoal::promise<double>> wanted;

    void write(const std::string& name, double value) {
      values[name] = value;
      for (auto [it, end] = wanted.equal_range(name); it != end; it = wanted.erase(it)) it->second.set(value);
    }
    shoal::future<double> read(const std::string& name) {
      const auto asked = wanted.emplace(name, shoal::promise<double>{});
      shoal::future<double> answer = asked->second.get_future();
      if (const auto known = values.find(name); known != values.end()) {
        asked->second.set(known->second);
        wanted.erase(asked);
      }
      return answer;
    }
  };
  board mine;
  shoal::lambda_actor boards{world, mine, "boards"};
  world.finish([&] {
    if (world.my_pe() == 0) {
      boards.send(3, [](board& there, const std::string& name) { there.write(name, 0.85); }, "damping");
    }
    auto damping = boards.ask(3, [](board& there, const std::string& name) { return there.read(name); }, "dampling");
    std::printf("PE %d: %g\n", int(world.my_pe()), damping.get());
  });
  // [/future]
}

void by_loop(shoal::world& world) {
  // [loop]
  std::int64_t n_answers = 0;
  shoal::actor reply{world, [&](double) { ++n_answers; }, "reply"};
  shoal::actor query{world,
                     [&](double x, shoal::pe_id from) {
                       if (x > 0) reply.send(from, 1 / x);
                     },
                     "query"};
  world.finish([&] {
    for (int i = 0; i < 100; ++i) query.send(3, double(i));
    while (n_answers < 100) world.progress();
  });
  // [/loop]
}

}  // namespace

int main(int argc, char** argv) {
  const bool has_loop = argc > 1 && std::string_view(argv[1]) == "loop";
  return shoal::run(argc, argv, has_loop ? by_loop : by_future);
}
