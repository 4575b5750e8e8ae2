// Reads random entries of a table that is spread over all PEs, by closures that send closures.
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 50;
constexpr std::size_t n_reads = 400;

struct state {
  state(std::vector<std::int64_t> its_table, std::vector<std::int64_t> its_answers)
      : table(std::move(its_table)), answers(std::move(its_answers)) {}

  std::vector<std::int64_t> table;
  std::vector<std::int64_t> answers;
};

// [gather]
std::vector<std::int64_t> gather(shoal::world& world, const std::vector<std::int64_t>& part,
                                 const std::vector<std::int64_t>& wanted) {
  shoal::per_pe<state> mine{world, part, std::vector<std::int64_t>(wanted.size())};
  const auto here = mine.handle();
  const shoal::pe_id me = world.my_pe();
  // Asks the owner of each entry.
  world.finish([&] {
    for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
      const std::int64_t index = wanted[slot] / world.n_pes();
      const shoal::pe_id owner = wanted[slot] % world.n_pes();
      world.send(owner, [here, me, slot, index](shoal::world& there) {
        const std::int64_t value = here->table[index];  // of the owner's part
        there.send(me, [here, slot, value] { here->answers[slot] = value; });
      });
    }
  });
  return mine->answers;
}
// [/gather]

int check(shoal::world& world) {
  std::vector<std::int64_t> part;
  for (std::int64_t i = 0; i < n_entries; ++i) part.push_back(-(i * world.n_pes() + world.my_pe() + 1));
  shoal::random_engine random(1, world.my_pe());
  std::vector<std::int64_t> wanted(n_reads);
  for (std::int64_t& g : wanted) g = random.below(n_entries * world.n_pes());
  const std::vector<std::int64_t> answers = gather(world, part, wanted);
  std::int64_t n_wrong = 0, total = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    n_wrong += answers[i] != -(wanted[i] + 1);
    total += answers[i] * wanted[i];
  }
  n_wrong = world.sum(n_wrong);
  total = world.sum(total);
  if (world.my_pe() == 0) std::cout << n_wrong << " wrong, total " << total << '\n';
  return n_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, check); }
