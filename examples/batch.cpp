// Two ways to handle many messages faster: a handler that takes all messages of a buffer at once, and a hook that
// returns the address a message's handler, or a closure, will touch, so that Shoal prefetches it.
// pes: 1 2 3 4 7
#include <cstdint>
#include <span>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 1 << 16;  // on each PE

template <class Actor>
void send_all(shoal::world& world, Actor& to) {
  shoal::random_engine random(7, world.my_pe());
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t g = random.below(n_entries * world.n_pes());
    to.send(g % world.n_pes(), g / world.n_pes());
  }
}

// [closure]
struct count_one {
  std::int64_t slot;

  void operator()(std::vector<std::int64_t>& there) const { ++there[slot]; }
  const void* prefetch(const std::vector<std::int64_t>& there) const { return &there[slot]; }
};
// [/closure]

void send_closures(shoal::world& world, shoal::lambda_actor<std::vector<std::int64_t>>& parts) {
  shoal::random_engine random(7, world.my_pe());
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t g = random.below(n_entries * world.n_pes());
    parts.send(g % world.n_pes(), count_one{g / world.n_pes()});
  }
}

int count_and_compare(shoal::world& world) {
  std::vector<std::int64_t> once(n_entries);
  std::vector<std::int64_t> again(n_entries);

  // [batch]
  shoal::actor in_batches{world, [&](std::span<const std::int64_t> slots) {
                            for (const std::int64_t slot : slots) ++once[slot];
                          }};
  // [/batch]
  // [prefetch]
  shoal::actor ahead{world, [&](std::int64_t slot) { ++again[slot]; },
                     [&](std::int64_t slot) { return &again[slot]; }};  // will be touched
  // [/prefetch]
  world.finish([&] {
    send_all(world, in_batches);
    send_all(world, ahead);
  });

  std::vector<std::int64_t> by_closures(n_entries);
  shoal::lambda_actor parts{world, by_closures};
  world.finish([&] { send_closures(world, parts); });

  std::int64_t n_counted = 0;
  for (const std::int64_t count : once) n_counted += count;
  const bool is_right = once == again && once == by_closures && world.sum(n_counted) == 100'000 * world.n_pes();
  return world.min(int{is_right}) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, count_and_compare); }
