// A program on hundreds of simulated PEs; its code does not depend on the simulator. This test sets SHOAL_SUBSTRATE=sim
// SHOAL_PES=300 SHOAL_SEED=7; without them it runs like any other program.
//
// A rumour starts on PE 0. A PE that hears it for the first time tells two others. The simulator's clock is virtual and
// its choices come from the seed, so a second run with the same seed takes the same time.
// env: SHOAL_SUBSTRATE=sim SHOAL_PES=300 SHOAL_SEED=7
#include <cstdint>
#include <cstdio>

#include <shoal/shoal.hpp>
#include <shoal/substrate/substrate_kind.hpp>

namespace {

struct outcome {
  int status = -1;
  std::uint64_t ns = 0;
  bool is_virtual = false;
};

// [rumour]
struct rumour : shoal::selector<rumour, std::int64_t> {
  explicit rumour(shoal::world& w) : selector(w), world(w) {}

  void process(std::int64_t n_steps) {
    if (has_heard) return;
    has_heard = true;
    world.charge_ns(500);  // the cost of hearing it; only the simulator uses this
    for (const std::int64_t child : {2 * world.my_pe() + 1, 2 * world.my_pe() + 2}) {
      if (child < world.n_pes()) send(child, n_steps + 1);
    }
  }

  shoal::world& world;
  bool has_heard = false;
};
// [/rumour]

outcome spread(int argc, char** argv) {
  outcome result;
  result.status = shoal::run(argc, argv, [&](shoal::world& world) {
    rumour tale{world};
    const std::uint64_t begin = world.now_ns();
    world.finish([&] {
      if (world.my_pe() == 0) tale.send(0, 0);
    });
    const std::uint64_t taken = world.max(world.now_ns() - begin);
    if (world.my_pe() == 0) {
      result.ns = taken;
      result.is_virtual = world.backend().kind() == shoal::substrate_kind::sim;
      std::printf("%lld PEs on substrate %s: %llu ns\n", static_cast<long long>(world.n_pes()),
                  world.backend().name().data(), static_cast<unsigned long long>(taken));
    }
    return world.min(int{tale.has_heard}) == 1 ? 0 : 1;
  });
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const outcome first = spread(argc, argv);
  const outcome second = spread(argc, argv);
  if (first.status != 0 || second.status != 0) return 1;
  return !first.is_virtual || first.ns == second.ns ? 0 : 1;
}
