// A mistake of docs/mistakes.md: a handler throws on PE 3.
#include <cstdint>
#include <map>

#include <shoal/shoal.hpp>

namespace {

// [throws]
struct deposit {
  std::int64_t account;
  std::int64_t amount;
};

void pay(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  std::map<std::int64_t, std::int64_t> balances;
  for (std::int64_t account = world.my_pe(); account < 700; account += n_pes) balances[account] = 0;
  balances.erase(500);  // closed last year
  shoal::actor bank{world, [&](const deposit& d) { balances.at(d.account) += d.amount; }, "bank"};
  world.finish([&] {
    for (std::int64_t account = 0; account < 700; ++account) bank.send(account % n_pes, {account, 10});
  });
}
// [/throws]

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, pay); }
