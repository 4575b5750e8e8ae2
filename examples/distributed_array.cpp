// A distributed array: elements by global index, changed by messages to their owners, read by plain loads where that is
// possible. Counts random keys, orders the elements by another array, and claims each element once.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <vector>

#include <shoal/pgas.hpp>
#include <shoal/shoal.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::int64_t n = 1000;  // elements of the whole array
    const std::int64_t n_updates = 10000;
    bool is_right = true;

    // [update]
    // Element g is on PE g % n_pes. Elements begin as 0.
    shoal::distributed_array<std::int64_t> counts(world, n);
    shoal::random_engine random(2026, world.my_pe());
    world.finish([&] {
      for (std::int64_t i = 0; i < n_updates; ++i) counts.add(random.below(n), 1);
    });
    std::int64_t n_counted = 0;
    for (auto [index, count] : counts.mine()) n_counted += count;  // the elements of this PE
    // [/update]
    is_right = is_right && world.sum(n_counted) == n_updates * world.n_pes();

    // [gather]
    // Blocks of 16 elements, dealt in turn. The owners write their elements as plain memory.
    shoal::distributed_array<double, shoal::block_cyclic> squares(world, {n, world.n_pes(), 16});
    for (auto [index, value] : squares.mine()) value = static_cast<double>(index * index);

    std::vector<std::int64_t> wanted;  // in any order, as often as one likes
    for (std::int64_t g = world.my_pe(); g < n; g += 7) wanted.push_back(n - 1 - g);
    std::vector<double> found(wanted.size());
    squares.gather(wanted, found);  // found[i] is element wanted[i]
    // [/gather]
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      is_right = is_right && found[i] == static_cast<double>(wanted[i] * wanted[i]);
    }

    // [exchange]
    // Every PE wants every element; one of them gets it.
    shoal::distributed_array<std::int64_t> winners(world, n, shoal::layout::block);
    std::int64_t n_won = 0;
    world.finish([&] {
      for (std::int64_t g = 0; g < n; ++g) {
        winners.compare_exchange(g, 0, world.my_pe() + 1).then([&](std::int64_t before) { n_won += before == 0; });
      }
    });
    // [/exchange]
    is_right = is_right && world.sum(n_won) == n && std::ranges::count(winners.local(), 0) == 0;

    // [single]
    if (world.my_pe() == 0) winners[n / 2] = 42;  // one by one: slow, and complete at once
    world.barrier();
    const std::int64_t answer = winners[n / 2];
    // [/single]
    is_right = is_right && answer == 42;

    // [loops]
    // Chains of three elements, as a plain loop says it.
    shoal::distributed_array<std::int64_t> next(world, n);
    for (auto [index, its] : next.mine()) its = (index * 7 + 1) % n;
    std::vector<std::int64_t> ends(n);
    shoal::aggregate(
        n, [&](std::int64_t i) { return next[next[next[i]]]; },
        [&](std::int64_t i, std::int64_t end) { ends[i] = end; });

    // A histogram of these ends, and who has the odd ones.
    shoal::distributed_array<std::int64_t> n_ends(world, n);
    std::vector<std::int64_t> odd;
    shoal::aggregate(n, [&](std::int64_t i) {
      const std::int64_t end = next[ends[i]];
      n_ends[end] += 1;
      if (end % 2 == 1) odd.push_back(i);
    });
    // [/loops]
    for (std::int64_t i = 0; i < n; ++i) is_right = is_right && ends[i] == (i * 343 + 57) % n;
    const std::int64_t n_odd = static_cast<std::int64_t>(odd.size());
    std::int64_t n_odd_ends = 0;
    for (auto [index, count] : n_ends.mine()) n_odd_ends += index % 2 == 1 ? count : 0;
    is_right = is_right && world.sum(n_odd_ends) == world.sum(n_odd);

    return world.all_reduce(is_right, [](bool a, bool b) { return a && b; }) ? 0 : 1;
  });
}
