// Early exit: a mailbox that says "not now" instead of gathering more. The program makes a random permutation by
// throwing darts: a dart that hits a free place stays, a dart that misses comes back and is thrown again. A PE that
// threw all its darts before the first answer would throw the last ones unnecessarily.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_darts = 2'000;  // of each PE; there are twice as many places

struct dart {
  std::int64_t place;
  std::int64_t number;
};
struct answer {
  std::int64_t number;
  bool is_hit;
};

struct board : shoal::selector<board, dart, answer> {
  explicit board(shoal::world& world) : selector(world), places(2 * n_darts, -1) {}

  void process(const dart& d, shoal::pe_id from) {
    const bool is_hit = places[d.place] < 0;
    if (is_hit) places[d.place] = d.number;
    send(from, answer{d.number, is_hit});
  }
  void process(const answer& a) {
    if (a.is_hit) {
      ++n_hits;
    } else {
      in_hand.push_back(a.number);
    }
  }

  std::vector<std::int64_t> places;
  std::vector<std::int64_t> in_hand;
  std::int64_t n_hits = 0;
};

int permute_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  board darts{world};
  for (std::int64_t i = 0; i < n_darts; ++i) darts.in_hand.push_back(i * n_pes + world.my_pe());
  shoal::random_engine random(11, world.my_pe());

  // [early_exit]
  auto& throws = darts.mailbox_of<dart>();
  throws.limit_unsent(64);
  world.finish([&] {
    while (darts.n_hits < n_darts) {
      bool is_thrown = false;
      if (!darts.in_hand.empty()) {
        const std::int64_t place = random.below(2 * n_darts * n_pes);
        is_thrown = throws.try_send(place % n_pes, dart{place / n_pes, darts.in_hand.back()});
      }
      if (is_thrown) {
        darts.in_hand.pop_back();
      } else {
        world.progress();  // lets answers arrive, and posts partly filled buffers
      }
    }
  });
  // [/early_exit]

  // In order, the occupied places hold every number once.
  const auto seen = world.allocate<std::int64_t>(n_darts);
  for (const std::int64_t number : darts.places) {
    if (number >= 0) world.fetch_add(seen, number / n_pes, std::int64_t{1}, number % n_pes);
  }
  world.quiet();
  world.barrier();
  std::int64_t n_wrong = 0;
  for (const std::int64_t times : world.local(seen)) n_wrong += times != 1;
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, permute_and_check); }
