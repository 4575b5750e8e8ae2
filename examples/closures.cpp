// Closures as messages: code and its captures go to the data. The reads are those of index_gather.cpp, but the reply is
// a closure that the closure sends. A second example nests three closures.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 500;  // of the table, on each PE
constexpr std::int64_t n_reads = 5'000;

struct state {
  std::vector<std::int64_t> next;  // entry g lies on PE g % n_pes; its value names another entry
  std::vector<std::int64_t> answers;
};

// A permutation of [0, n), so that each entry leads somewhere: n is not a multiple of 7919.
std::int64_t next_of(std::int64_t g, std::int64_t n) { return g * 7919 % n; }

int follow_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::int64_t n = n_entries * n_pes;
  shoal::per_pe<state> mine{world};
  for (std::int64_t i = 0; i < n_entries; ++i) mine->next.push_back(next_of(i * n_pes + world.my_pe(), n));
  mine->answers.assign(n_reads, -1);

  shoal::random_engine random(1, world.my_pe());
  std::vector<std::int64_t> starts(n_reads);
  for (std::int64_t& g : starts) g = random.below(n);

  // [nested]
  // Where do two steps lead from each start? The handle is captured on one PE and used on another, where it gives that
  // PE's state.
  const auto here = mine.handle();
  world.finish([&] {
    for (std::int64_t slot = 0; slot < n_reads; ++slot) {
      const std::int64_t g = starts[slot];
      world.send(g % n_pes, [here, slot, g](shoal::world& there, shoal::pe_id asker) {
        const std::int64_t first = here->next[g / there.n_pes()];
        there.send(first % there.n_pes(), [here, slot, first, asker](shoal::world& further) {
          const std::int64_t second = here->next[first / further.n_pes()];
          further.send(asker, [here, slot, second] { here->answers[slot] = second; });
        });
      });
    }
  });
  // [/nested]

  std::int64_t n_wrong = 0;
  for (std::int64_t slot = 0; slot < n_reads; ++slot) {
    n_wrong += mine->answers[slot] != next_of(next_of(starts[slot], n), n);
  }
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, follow_and_check); }
