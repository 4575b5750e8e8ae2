// Guards: a mailbox that waits until something else has happened, and one whose messages go first. The PEs load a table;
// lookups that come early wait until all of it is there. Then they search; a PE that has found a better value tells all
// others, and they hear of it before they go on.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 1'000;  // of each PE
constexpr std::int64_t n_candidates = 5'000;  // of each PE

struct entry {
  std::int64_t slot;
  std::int64_t value;
};

// Each PE writes its entries, and looks up those that the PE before it writes, without a barrier in between.
std::int64_t count_wrong_lookups(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const auto value_of = [](std::int64_t key) { return 7 * key + 1; };
  std::vector<std::int64_t> table(n_entries, -1);
  std::int64_t n_wrong = 0;
  shoal::actor entries{world, [&](const entry& e) { table[e.slot] = e.value; }, "entries"};
  shoal::actor lookups{world, [&](const entry& e) { n_wrong += table[e.slot] != e.value; }, "lookups"};
  const std::int64_t first = world.my_pe() * n_entries;
  const std::int64_t first_of_other = (world.my_pe() + n_pes - 1) % n_pes * n_entries;

  // [disable]
  entries.fed_by();  // main programs only: it closes when all entries are handled everywhere
  lookups.disable();
  world.finish([&] {
    entries.closed().then([&] { lookups.enable(); });
    for (std::int64_t key = first; key < first + n_entries; ++key) {
      entries.send(key % n_pes, {key / n_pes, value_of(key)});
    }
    entries.done();
    for (std::int64_t key = first_of_other; key < first_of_other + n_entries; ++key) {
      lookups.send(key % n_pes, {key / n_pes, value_of(key)});
    }
  });
  // [/disable]
  return world.sum(n_wrong);
}

std::int64_t cost_of(std::int64_t candidate) { return (candidate * 7'919 + 13) % 1'000'003; }

// The least cost of all candidates.
std::int64_t search(shoal::world& world) {
  // [priority]
  std::int64_t best = INT64_MAX;
  shoal::actor bounds{world, [&](std::int64_t cost) { best = std::min(best, cost); }, "bounds"};
  shoal::actor candidates{world,
                          [&](std::int64_t candidate) {
                            const std::int64_t cost = cost_of(candidate);
                            if (cost >= best) return;
                            best = cost;
                            for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) bounds.send(pe, cost);
                          },
                          "candidates"};
  bounds.set_priority(1);  // before any candidate that has arrived, too
  bounds.limit_latency(20);  // microseconds
  // [/priority]
  world.finish([&] {
    for (std::int64_t i = 0; i < n_candidates; ++i) {
      const std::int64_t candidate = i * world.n_pes() + world.my_pe();
      candidates.send((candidate / 3) % world.n_pes(), candidate);
    }
  });
  return best;
}

int load_and_search(shoal::world& world) {
  std::int64_t least = INT64_MAX;
  for (std::int64_t i = 0; i < n_candidates * world.n_pes(); ++i) least = std::min(least, cost_of(i));
  const bool is_right = count_wrong_lookups(world) == 0 && search(world) == least;
  return world.min(is_right ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, load_and_search); }
