// An actor of closures over one object of each PE. Closures of different types share its mailbox, and those that one PE
// sends to another keep their order.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const shoal::pe_id neighbour = (world.my_pe() + 1) % world.n_pes();

    // [lambda_actor]
    std::vector<std::int64_t> balances(1000);
    shoal::lambda_actor bank{world, balances};
    world.finish([&] {
      for (std::int64_t account = 0; account < 1000; ++account) {
        bank.send(neighbour, [account](auto& there) { there[account] += 10; });
        bank.send(neighbour, [account, factor = 2](auto& there) { there[account] *= factor; });
        bank.send(neighbour, [account](auto& there) { there[account] += 1; });
      }
    });
    // [/lambda_actor]

    const bool is_right = std::ranges::all_of(balances, [](std::int64_t b) { return b == 21; });
    return world.min(int{is_right}) == 1 ? 0 : 1;
  });
}
