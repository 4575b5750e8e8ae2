// A finish within a finish. Breadth-first search runs one inner superstep per level, while an outer actor keeps
// counting. An inner finish waits only for the messages of its own actors.
//
// The graph is a cube of 12 dimensions, so the level of vertex v is the number of its one bits.
// pes: 1 2 3 4 7
#include <bit>
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr int n_dimensions = 12;
constexpr std::int64_t n_vertices = std::int64_t{1} << n_dimensions;

int search_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  std::vector<std::int64_t> level((n_vertices + n_pes - 1) / n_pes, -1);
  std::vector<std::int64_t> frontier;
  std::vector<std::int64_t> size_of_level(n_dimensions + 1);  // counted on PE 0

  // [nested]
  world.finish([&] {
    shoal::actor tally{world, [&](std::int64_t found_on) { ++size_of_level[found_on]; }};
    if (world.my_pe() == 0) {
      level[0] = 0;
      frontier.push_back(0);
      tally.send(0, 0);
    }
    for (std::int64_t next = 1; world.sum(frontier.size()) != 0; ++next) {
      std::vector<std::int64_t> found;
      world.finish([&] {
        shoal::actor visit{world, [&](std::int64_t v) {
                             if (level[v / n_pes] >= 0) return;
                             level[v / n_pes] = next;
                             found.push_back(v);
                             tally.send(0, next);  // to the outer actor; the inner finish does not wait for it
                           }};
        for (const std::int64_t v : frontier) {
          for (int d = 0; d < n_dimensions; ++d) {
            const std::int64_t neighbour = v ^ (std::int64_t{1} << d);
            visit.send(neighbour % n_pes, neighbour);
          }
        }
      });
      frontier.swap(found);  // the inner finish has ended, so the level is complete
    }
  });
  // [/nested]

  std::int64_t n_wrong = 0;
  for (std::int64_t v = world.my_pe(); v < n_vertices; v += n_pes) {
    n_wrong += level[v / n_pes] != std::popcount(static_cast<std::uint64_t>(v));
  }
  std::int64_t binomial = 1;
  for (int k = 0; k <= n_dimensions && world.my_pe() == 0; ++k) {
    n_wrong += size_of_level[k] != binomial;
    binomial = binomial * (n_dimensions - k) / (k + 1);
  }
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, search_and_check); }
