// Loops over one-sided access of Shoal: elements of distributed arrays, and gets and puts of a world.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "shoal/actor/run.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/pgas/distributed_array.hpp"

namespace {

constexpr std::int64_t n_of_pe = 50;

std::vector<std::int64_t> draw(const shoal::world& world, std::size_t n) {
  shoal::random_engine random(static_cast<std::uint64_t>(world.my_pe()) + 5);
  std::vector<std::int64_t> drawn(n);
  for (std::int64_t& each : drawn)
    each = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_of_pe * world.n_pes())));
  return drawn;
}

void print(shoal::world& world, const char* what, std::uint64_t mine) {
  const std::uint64_t all = world.sum(mine);
  if (world.my_pe() == 0) std::printf("%s %llu\n", what, static_cast<unsigned long long>(all));
}

void elements(shoal::world& world, const std::vector<std::int64_t>& drawn) {
  shoal::distributed_array<std::int64_t> counts(world, n_of_pe * world.n_pes());
  shoal::distributed_array<std::int64_t> marks(world, n_of_pe * world.n_pes());
  std::vector<std::int64_t> seen(drawn.size());
  world.barrier();
  for (const std::int64_t g : drawn) {
    counts[g] += 2;
    marks[g] = g;
  }
  world.barrier();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::int64_t first = counts[drawn[i]];
    seen[i] = first + counts[(drawn[i] + first) % counts.size()];
  }
  world.barrier();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) sum += static_cast<std::uint64_t>(seen[i]) * (i + 1);
  for (const std::int64_t mark : marks.local()) sum += static_cast<std::uint64_t>(mark);
  print(world, "elements", sum);
}

void memory_of_world(shoal::world& world, const std::vector<std::int64_t>& drawn) {
  const shoal::symmetric<std::int64_t> table = world.allocate<std::int64_t>(n_of_pe);
  const shoal::symmetric<std::int64_t> counts = world.allocate<std::int64_t>(n_of_pe);
  for (std::size_t i = 0; i < n_of_pe; ++i) world.local(table)[i] = static_cast<std::int64_t>(i) + 100 * world.my_pe();
  std::vector<std::int64_t> seen(drawn.size());
  const shoal::pe_id n_pes = world.n_pes();
  world.barrier();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto owner = static_cast<shoal::pe_id>(drawn[i] % n_pes);
    const auto slot = static_cast<std::size_t>(drawn[i] / n_pes);
    seen[i] = world.get(table, slot, owner);
    world.fetch_add(counts, slot, std::int64_t{3}, owner);
  }
  world.barrier();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) sum += static_cast<std::uint64_t>(seen[i]) * (i + 1);
  for (const std::int64_t count : world.local(counts)) sum += static_cast<std::uint64_t>(count * count);
  print(world, "memory", sum);
  world.deallocate(counts);
  world.deallocate(table);
}

void several(shoal::world& world) {
  const shoal::symmetric<std::int64_t> table = world.allocate<std::int64_t>(n_of_pe);
  const shoal::symmetric<std::int64_t> marks = world.allocate<std::int64_t>(n_of_pe * 2);
  for (std::size_t i = 0; i < n_of_pe; ++i) world.local(table)[i] = static_cast<std::int64_t>(i) + 100 * world.my_pe();
  const std::size_t n_of_block = 6;
  std::vector<std::int64_t> copy(n_of_pe);
  const shoal::pe_id n_pes = world.n_pes();
  std::uint64_t sum = 0;
  world.barrier();
  for (std::size_t i = 0; i < 8; ++i) {
    const auto owner = static_cast<shoal::pe_id>(i) % n_pes;
    std::array<std::int64_t, 3> row;
    world.get(table, i * n_of_block, row, owner);
    sum += static_cast<std::uint64_t>(row[0] * row[2] + row[1]);
  }
  world.barrier();
  for (std::size_t i = 0; i < 8; ++i)
    world.get(table, i * n_of_block, std::span(&copy[i * n_of_block], n_of_block),
              static_cast<shoal::pe_id>(i) % n_pes);
  world.barrier();
  if (world.my_pe() == 0) {
    for (const std::int64_t each : copy) sum = sum * 3 + static_cast<std::uint64_t>(each);
  }
  const std::vector<std::int64_t> mine(2, 1 + world.my_pe());
  world.barrier();
  for (shoal::pe_id pe = 0; pe < n_pes; ++pe) world.put(marks, static_cast<std::size_t>(2 * world.my_pe()), mine, pe);
  world.barrier();
  for (const std::int64_t mark : world.local(marks)) sum += static_cast<std::uint64_t>(mark * mark);
  print(world, "several", sum);
  world.deallocate(marks);
  world.deallocate(table);
}

// Nothing proves that the places differ, of which one turn may use several.
void vouched(shoal::world& world) {
  const shoal::pe_id n_pes = world.n_pes();
  shoal::distributed_array<std::int64_t> order(world, n_of_pe * n_pes);
  shoal::distributed_array<std::int64_t> renamed(world, n_of_pe * n_pes);
  const shoal::symmetric<std::int64_t> rows = world.allocate<std::int64_t>(static_cast<std::size_t>(4 * n_of_pe));
  for (std::size_t i = 0; i < n_of_pe; ++i)
    order.local()[i] = (11 * (world.my_pe() * n_of_pe + static_cast<std::int64_t>(i)) + 3) % order.size();
  for (std::int64_t& each : world.local(rows)) each = 0;
  world.barrier();
#pragma shoal independent
  for (std::int64_t i = world.my_pe(); i < order.size(); i += n_pes) {
    const std::int64_t to = order[i];
    renamed[to] = i;
    const std::vector<std::int64_t> row(static_cast<std::size_t>(i % 4), to);
    world.put(rows, static_cast<std::size_t>(to / n_pes * 4), row, to % n_pes);
  }
  world.barrier();
  std::uint64_t sum = 0;
  for (const std::int64_t each : renamed.local()) sum = sum * 3 + static_cast<std::uint64_t>(each);
  for (const std::int64_t each : world.local(rows)) sum = sum * 3 + static_cast<std::uint64_t>(each);
  print(world, "vouched", sum);
  world.deallocate(rows);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::vector<std::int64_t> drawn = draw(world, 300);
    elements(world, drawn);
    memory_of_world(world, drawn);
    several(world);
    vouched(world);
  });
}
