// A mistake of docs/mistakes.md: who is to say that no more messages come has not said so. With the argument "conveyor", the
// same with a conveyor.
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include <shoal/conveyor/conveyor.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_words = 1000;  // of each PE

void by_actors(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  // [actor]
  std::vector<std::int64_t> counts(n_words);
  shoal::actor count{world, [&](std::int64_t word) { ++counts[word / n_pes]; }, "count"};
  count.fed_by();
  world.finish([&] {
    for (std::int64_t word = 0; word < n_words; ++word) count.send(word % n_pes, word);
    count.closed().get();  // all words are counted now
    std::printf("PE %d: %lld times word %d\n", int(world.my_pe()), static_cast<long long>(counts[0]),
                int(world.my_pe()));
  });
  // [/actor]
}

void by_conveyor(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  // [conveyor]
  std::vector<std::int64_t> counts(n_words);
  shoal::conveyor<std::int64_t> words{world};
  words.begin();
  for (std::int64_t word = 0; word < n_words; ++word) {
    while (!words.push(word, word % n_pes)) words.advance(false);
  }
  while (words.advance(false) != shoal::progress::complete) {
    while (const std::int64_t* word = words.pull()) ++counts[*word / n_pes];
  }
  words.reset();
  // [/conveyor]
}

}  // namespace

int main(int argc, char** argv) {
  const bool has_conveyor = argc > 1 && std::string_view(argv[1]) == "conveyor";
  return shoal::run(argc, argv, has_conveyor ? by_conveyor : by_actors);
}
