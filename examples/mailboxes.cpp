// Several mailboxes of one message type, told apart by tags, or by their positions; mailboxes of closures.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_accounts = 100;  // on each PE

// [tags]
struct deposit {};
struct withdraw {};
struct transfer {
  std::int64_t account;
  std::int64_t amount;
};

struct bank : shoal::selector<bank, shoal::tagged<deposit, transfer>, shoal::tagged<withdraw, transfer>> {
  explicit bank(shoal::world& world) : selector(world), balances(n_accounts) {}

  void process(deposit, const transfer& t) { balances[t.account] += t.amount; }
  void process(withdraw, const transfer& t) { balances[t.account] -= t.amount; }

  std::vector<std::int64_t> balances;
};
// [/tags]

// [positions]
struct counters : shoal::selector<counters, std::int64_t, std::int64_t> {
  explicit counters(shoal::world& world) : selector(world) {}

  void process(shoal::nth<0>, std::int64_t by) { first += by; }
  void process(shoal::nth<1>, std::int64_t by, shoal::pe_id from) { second += by * from; }

  std::int64_t first = 0;
  std::int64_t second = 0;
};
// [/positions]

// [closures]
// Questions and answers in mailboxes of their own, without message types.
struct table : shoal::selector<table, shoal::tagged<struct read, shoal::closures>,
                               shoal::tagged<struct found, shoal::closures>> {
  explicit table(shoal::world& world) : selector(world), values(n_accounts, world.my_pe()) {}

  std::vector<std::int64_t> values;
  std::int64_t sum = 0;
};
// [/closures]

std::int64_t read_tables(shoal::world& world) {
  table all{world};
  // [send_closures]
  world.finish([&] {
    for (std::int64_t i = 0; i < n_accounts; ++i) {
      all.send<read>(i % world.n_pes(), [i](table& there, shoal::pe_id asker) {
        there.send<found>(asker, [value = there.values[i]](table& here) { here.sum += value; });
      });
    }
  });
  // [/send_closures]
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < n_accounts; ++i) expected += i % world.n_pes();
  return all.sum == expected ? 0 : 1;
}

int run_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  bank accounts{world};
  counters sums{world};
  // [send]
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) {
      for (std::int64_t account = 0; account < n_accounts; ++account) {
        accounts.send<deposit>(pe, transfer{account, 3 * account});
        accounts.send<withdraw>(pe, transfer{account, account});
      }
      sums.send<0>(pe, 5);
      sums.send<1>(pe, 7);
    }
  });
  // [/send]

  std::int64_t n_wrong = 0;
  for (std::int64_t account = 0; account < n_accounts; ++account) {
    n_wrong += accounts.balances[account] != 2 * account * n_pes;
  }
  n_wrong += sums.first != 5 * n_pes;
  n_wrong += sums.second != 7 * (n_pes * (n_pes - 1) / 2);
  n_wrong += read_tables(world);
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, run_and_check); }
