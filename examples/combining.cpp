// Combining: the PEs count events by name, and a few names are frequent. Additions to the same counter are merged while they
// wait for the same PE, and so are bids for the same item.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <vector>

#include <shoal/actor/combining_actor.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::uint32_t n_names = 1'000;
constexpr std::int64_t n_events = 20'000;  // of each PE

// Name n about twice as often as name 2n.
std::uint32_t draw_name(shoal::random_engine& random) {
  const std::uint64_t width = random.below(n_names) + 1;
  return static_cast<std::uint32_t>(random.below(width));
}

// [actor]
struct addition {
  std::uint32_t slot;
  std::uint32_t n;
};

std::int64_t count_events(shoal::world& world, std::vector<std::uint32_t>& counts) {
  shoal::combining_actor add{world,
                             [&](const addition& a) { counts[a.slot] += a.n; },
                             [](const addition& a) { return a.slot; },
                             [](addition& into, const addition& a) { into.n += a.n; },
                             "add",
                             shoal::combining::everywhere};
  const auto n_pes = static_cast<std::uint32_t>(world.n_pes());
  shoal::random_engine random(1, static_cast<std::uint64_t>(world.my_pe()));
  world.finish([&] {
    for (std::int64_t i = 0; i < n_events; ++i) {
      const std::uint32_t name = draw_name(random);
      add.send(name % n_pes, {name / n_pes, 1});
    }
  });
  return static_cast<std::int64_t>(add.counts().n_combined);
}
// [/actor]

// [selector]
struct bid {
  std::uint32_t item;
  std::int32_t bidder;
  std::int64_t price;
};

struct auction : shoal::selector<auction, shoal::combined<bid>> {
  using selector::selector;

  void process(const bid& b) { take_higher(best[b.item], b); }
  std::uint32_t key(const bid& b) const { return b.item; }
  void combine(bid& into, const bid& b) const { take_higher(into, b); }

  static void take_higher(bid& into, const bid& b) {
    if (b.price > into.price) into = b;
  }
  std::vector<bid> best = std::vector<bid>(100);
};
// [/selector]

std::int64_t price_of(std::int64_t bidder, std::int64_t i) { return (bidder * 7'919 + i * 104'729) % 1'000'003 + 1; }

bool finds_best_bids(shoal::world& world) {
  auction at(world);
  world.finish([&] {
    for (std::int64_t i = 0; i < 5'000; ++i) {
      const auto item = static_cast<std::uint32_t>(i % 100);
      at.send(item % world.n_pes(), bid{item, static_cast<std::int32_t>(world.my_pe()), price_of(world.my_pe(), i)});
    }
  });
  bool is_right = true;
  for (std::uint32_t item = 0; item < 100; ++item) {
    if (item % world.n_pes() != world.my_pe()) continue;
    std::int64_t highest = 0;
    for (std::int64_t bidder = 0; bidder < world.n_pes(); ++bidder) {
      for (std::int64_t i = item; i < 5'000; i += 100) highest = std::max(highest, price_of(bidder, i));
    }
    is_right = is_right && at.best[item].price == highest;
  }
  return is_right;
}

int count_and_bid(shoal::world& world) {
  std::vector<std::uint32_t> counts(n_names);
  const std::int64_t n_combined = world.sum(count_events(world, counts));
  std::int64_t n_counted = 0;
  for (const std::uint32_t n : counts) n_counted += n;
  const bool has_all = world.sum(n_counted) == n_events * world.n_pes();
  const bool is_right = has_all && n_combined > n_events / 2 && finds_best_bids(world);
  return world.min(is_right ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, count_and_bid); }
