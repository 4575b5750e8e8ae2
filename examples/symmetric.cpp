// Symmetric memory: an array on every PE at the same offset, reached by one-sided puts, gets and atomic
// additions. No message, no handler, and nothing is aggregated.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>

#include <shoal/shoal.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const shoal::pe_id me = world.my_pe();
    const shoal::pe_id n_pes = world.n_pes();
    std::int64_t n_wrong = 0;

    // [symmetric]
    // Everybody writes its number into its own place of everybody's array.
    const auto numbers = world.allocate<std::int64_t>(n_pes);
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) world.put(numbers, me, me, pe);
    world.quiet();  // my puts are complete
    world.barrier();  // so are everybody else's
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) n_wrong += world.local(numbers)[pe] != pe;

    // Tickets from a counter on PE 0, each given out once.
    const auto counter = world.allocate<std::int64_t>(1);
    const auto taken = world.allocate<std::int64_t>(100 * n_pes);
    for (int i = 0; i < 100; ++i) {
      const std::int64_t ticket = world.fetch_add(counter, 0, std::int64_t{1}, 0);
      world.fetch_add(taken, ticket, std::int64_t{1}, 0);
    }
    world.quiet();
    world.barrier();
    if (me == 0) n_wrong += !std::ranges::all_of(world.local(taken), [](auto n) { return n == 1; });
    n_wrong += world.get(counter, 0, 0) != 100 * n_pes;
    world.deallocate(taken);
    world.deallocate(counter);
    world.deallocate(numbers);
    // [/symmetric]

    return world.sum(n_wrong) == 0 ? 0 : 1;
  });
}
