// Random reads of a table over all PEs: replies by hand in a selector and in closures, a future for each read, answers in
// order, and a coroutine that reads twice before it answers.
// pes: 2
#include <cstdint>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/reads.hpp"
#include "shoal/base/random.hpp"

namespace {

using namespace shoal;

// Element g of the table is on PE g % n_pes, and its value is g + 1.
std::vector<std::int64_t> make_table(world& w, std::int64_t n_here) {
  std::vector<std::int64_t> table;
  for (std::int64_t i = 0; i < n_here; ++i) table.push_back(i * w.n_pes() + w.my_pe() + 1);
  return table;
}

// Reads the element after the one that it reads first.
struct second_reader : selector<second_reader, question<std::int64_t, std::int64_t>> {
  world& home;
  std::vector<std::int64_t>& table;
  lambda_actor<std::vector<std::int64_t>> tables;

  second_reader(world& w, std::vector<std::int64_t>& its_table)
      : selector(w), home(w), table(its_table), tables(w, its_table) {}
  future<std::int64_t> process(std::int64_t g) {
    const std::int64_t n_pes = home.n_pes();
    const std::int64_t next =
        table[static_cast<std::size_t>(g / n_pes)] % (static_cast<std::int64_t>(table.size()) * n_pes);
    const std::int64_t value =
        co_await tables.ask(next % n_pes, [i = next / n_pes](auto& its) { return its[static_cast<std::size_t>(i)]; });
    co_return value;
  }
};

class comparison {
public:
  comparison(world& w, bench::benchmark& all, std::size_t n, std::int64_t n_here)
      : w_(w), all_(all), table_(make_table(w, n_here)), values_(n) {
    random_engine random(1, w.my_pe());
    for (std::size_t i = 0; i < n; ++i) indices_.push_back(random.below(n_here * w.n_pes()));
  }

  void run() {
    const std::int64_t n_pes = w_.n_pes();
    const auto by = [&](const auto& read) {
      return [this, &read] { read(w_, table_, indices_, values_, bench::cyclic{w_.n_pes()}); };
    };
    const double by_selector = measure("selector", 1, by(bench::read_by_selector<bench::cyclic>));
    const double by_closures = measure("closures", 1, by(bench::read_by_closures<bench::cyclic>));
    const double by_futures = measure("futures", 1, by(bench::read_by_futures<bench::cyclic>));
    const double in_order = measure("in_order", 1, by(bench::read_in_order<bench::cyclic>));
    all_.derive("futures_per_closures", by_futures / by_closures);
    all_.derive("futures_per_selector", by_futures / by_selector);
    all_.derive("in_order_per_closures", in_order / by_closures);
    all_.derive("in_order_per_selector", in_order / by_selector);
    measure("coroutines", 2, [&] {
      second_reader both{w_, table_};
      w_.finish([&] { both.ask_all(indices_, values_, [n_pes](std::int64_t g) { return g % n_pes; }); });
    });
  }

private:
  /// Each value is `steps` more than its index, modulo the size of the table.
  template <class Run>
  double measure(const char* name, std::int64_t steps, Run run) {
    return all_.measure(
        {name, static_cast<double>(indices_.size())},
        [&] {
          std::fill(values_.begin(), values_.end(), -1);
          w_.barrier();
          run();
        },
        [&] { return w_.sum<std::int64_t>(count_wrong(steps)) == 0; });
  }

  std::int64_t count_wrong(std::int64_t steps) const {
    const std::int64_t n = static_cast<std::int64_t>(table_.size()) * w_.n_pes();
    std::int64_t n_wrong = 0;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      n_wrong += (values_[i] - indices_[i] - steps) % n != 0 || values_[i] < 0 ? 1 : 0;
    }
    return n_wrong;
  }

  world& w_;
  bench::benchmark& all_;
  std::vector<std::int64_t> table_;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> indices_;
};

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "reads", given);
  comparison(w, all, all.is_smoke() ? 20'000 : 1'000'000, all.is_smoke() ? 1'000 : 50'000).run();
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
