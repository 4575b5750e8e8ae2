// Compares a selector with four mailboxes with one that has a single mailbox: the same number of messages, spread over
// four mailboxes with their own buffers.
// pes: 2 8
#include <cstdint>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"

namespace {

using namespace shoal;

constexpr std::int64_t table_size = 1000;

struct one : selector<one, std::int64_t> {
  explicit one(world& w) : selector(w), counts(table_size) {}
  void process(std::int64_t slot) { ++counts[slot]; }
  std::vector<std::int64_t> counts;
};

struct four : selector<four, std::int64_t, std::int64_t, std::int64_t, std::int64_t> {
  explicit four(world& w) : selector(w), counts(table_size) {}
  void process(shoal::nth<0>, std::int64_t slot) { ++counts[slot]; }
  void process(shoal::nth<1>, std::int64_t slot) { ++counts[slot]; }
  void process(shoal::nth<2>, std::int64_t slot) { ++counts[slot]; }
  void process(shoal::nth<3>, std::int64_t slot) { ++counts[slot]; }
  std::vector<std::int64_t> counts;
};

struct update {
  std::uint32_t pe;
  std::uint32_t slot;
};

template <class Selector>
bool is_right(world& w, const Selector& s, std::int64_t n_expected) {
  std::int64_t n = 0;
  for (const std::int64_t count : s.counts) n += count;
  return w.sum(n) == n_expected;
}

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "selector4", given);
  const std::int64_t n = (all.is_smoke() ? 40'000 : 4'000'000) / w.n_pes() * 2;
  random_engine random(9, w.my_pe());
  std::vector<update> updates(n);
  for (update& u : updates) {
    u = {static_cast<std::uint32_t>(random.below(w.n_pes())), static_cast<std::uint32_t>(random.below(table_size))};
  }

  one single{w};
  const double of_one = all.measure(
      {"one_mailbox", double(n)},
      [&] {
        w.finish([&] {
          for (const auto [pe, slot] : updates) single.send(pe, std::int64_t{slot});
        });
      },
      [&] { return is_right(w, single, n * w.n_pes()); });

  four several{w};
  const double of_four = all.measure(
      {"four_mailboxes", double(n)},
      [&] {
        w.finish([&] {
          for (std::size_t i = 0; i < updates.size(); i += 4) {
            several.send<0>(updates[i].pe, std::int64_t{updates[i].slot});
            several.send<1>(updates[i + 1].pe, std::int64_t{updates[i + 1].slot});
            several.send<2>(updates[i + 2].pe, std::int64_t{updates[i + 2].slot});
            several.send<3>(updates[i + 3].pe, std::int64_t{updates[i + 3].slot});
          }
        });
      },
      [&] { return is_right(w, several, n * w.n_pes()); });
  all.derive("four_to_one", of_four / of_one);
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
