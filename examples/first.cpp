// The first program: a histogram whose table is spread over all PEs.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

// [program]
#include <shoal/shoal.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::int64_t n_pes = world.n_pes();
    std::vector<std::int64_t> counts(1000);  // this PE's part: entry g is on PE g % n_pes
    shoal::actor update{world, [&](std::int64_t slot) { ++counts[slot]; }};

    shoal::random_engine random(2026, world.my_pe());
    std::int64_t sum_sent = 0;  // weighs each entry with its number, so that a wrong entry changes the sum
    world.finish([&] {
      for (int i = 0; i < 100'000; ++i) {
        const std::int64_t g = random.below(1000 * n_pes);
        update.send(g % n_pes, g / n_pes);
        sum_sent += g + 1;
      }
    });

    std::int64_t sum_counted = 0;
    for (std::int64_t slot = 0; slot < 1000; ++slot) {
      sum_counted += counts[slot] * (slot * n_pes + world.my_pe() + 1);
    }
    return world.sum(sum_counted) == world.sum(sum_sent) ? 0 : 1;
  });
}
// [/program]
