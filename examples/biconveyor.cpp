// Queries with replies in order: an index gather through a biconveyor, and through one bulk-synchronous exstack, which
// carries both queries and replies.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/base/random.hpp>
#include <shoal/conveyor/kinds/biconveyor.hpp>
#include <shoal/conveyor/kinds/exstack.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 1000;  // on each PE
constexpr std::int64_t n_items = 20'000;  // that each PE wants

// Entry g of the table lies on PE g % n_pes and is -g.
std::vector<std::int64_t> make_table(const shoal::world& world) {
  std::vector<std::int64_t> table(n_entries);
  for (std::int64_t k = 0; k < n_entries; ++k) table[k] = -(k * world.n_pes() + world.my_pe());
  return table;
}

std::vector<std::int64_t> random_indices(const shoal::world& world) {
  shoal::random_engine random(5, world.my_pe());
  std::vector<std::int64_t> index(n_items);
  for (std::int64_t& g : index) g = random.below(n_entries * world.n_pes());
  return index;
}

std::int64_t n_wrong(const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& target) {
  std::int64_t n = 0;
  for (std::int64_t k = 0; k < n_items; ++k) n += target[k] != -index[k];
  return n;
}

std::int64_t by_biconveyor(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> table = make_table(world);
  const std::vector<std::int64_t> index = random_indices(world);
  std::vector<std::int64_t> target(n_items);

  // [biconveyor]
  shoal::biconveyor<std::int64_t, std::int64_t> gather{world};
  gather.begin([&](std::int64_t place) { return table[place]; });
  std::int64_t n_asked = 0;
  std::int64_t n_answered = 0;
  while (gather.advance(n_asked == n_items) != shoal::progress::complete) {
    for (; n_asked < n_items; ++n_asked) {
      if (!gather.push(index[n_asked] / n_pes, index[n_asked] % n_pes)) break;
    }
    while (const std::int64_t* value = gather.pull()) target[n_answered++] = *value;
  }
  gather.reset();
  // [/biconveyor]

  return n_wrong(index, target);
}

std::int64_t by_exstack(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> table = make_table(world);
  const std::vector<std::int64_t> index = random_indices(world);
  std::vector<std::int64_t> target(n_items);

  // [exstack]
  shoal::exstack<std::int64_t> gather{world, 512};
  std::int64_t i = 0;
  bool has_lost = false;
  while (gather.proceed(i == n_items)) {
    const std::int64_t first = i;
    while (i < n_items && gather.push(index[i] / n_pes, index[i] % n_pes) != 0) ++i;
    gather.exchange();
    shoal::pe_id from = 0;
    for (std::int64_t place = 0; gather.pop(place, from);) {
      has_lost |= gather.push(table[place], from) == 0;  // never: the buffers were empty
    }
    gather.exchange();
    for (std::int64_t k = first; k < i; ++k) has_lost |= !gather.pop_from(index[k] % n_pes, target[k]);
  }
  // [/exstack]

  return n_wrong(index, target) + has_lost;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::int64_t n = by_biconveyor(world) + by_exstack(world);
    return world.sum(n) == 0 ? 0 : 1;
  });
}
