// An index gather in four forms: one element at a time, by `aggregate` in both forms, and by an actor's query and
// reply; and a histogram in two. Once as an array reads on its node, by plain loads, and once by messages alone, as
// between nodes.
// pes: 2
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/reads.hpp"
#include "shoal/base/random.hpp"
#include "shoal/pgas.hpp"

namespace {

using namespace shoal;

class forms_of_loops {
public:
  forms_of_loops(world& w, bench::benchmark& all, std::size_t n, std::int64_t n_here)
      : w_(w), all_(all), n_(static_cast<std::int64_t>(n)), n_here_(n_here), found_(n) {
    random_engine random(1, w.my_pe());
    for (std::size_t i = 0; i < n; ++i) indices_.push_back(random.below(n_here * w.n_pes()));
    for (std::int64_t i = 0; i < n_here; ++i) part_.push_back(i * w.n_pes() + w.my_pe() + 1);
  }

  void run() {
    const double by_actor = gather("gather_by_actor", n_, [&](std::int64_t) {
      bench::read_by_selector(w_, part_, indices_, found_, bench::cyclic{w_.n_pes()});
    });
    for (const bool is_direct : {true, false}) {
      distributed_array<std::int64_t> table(w_, n_here_ * w_.n_pes(), layout::cyclic, {.reads_directly = is_direct});
      for (auto [index, value] : table.mine()) value = index + 1;
      w_.barrier();
      const std::string how = is_direct ? "_in_node" : "_by_message";
      if (is_direct) {
        gather("gather_one_by_one", n_, [&](std::int64_t n) {
          for (std::int64_t i = 0; i < n; ++i) found(i) = table[index(i)];
        });
      }
      const double by_two = gather("gather_by_two_functions" + how, n_, [&](std::int64_t n) {
        aggregate(
            n, [&](std::int64_t i) { return table[index(i)]; },
            [&](std::int64_t i, std::int64_t value) { found(i) = value; });
      });
      // Each read leaves the body by an exception.
      gather("gather_by_body" + how, is_direct ? n_ : n_ / 10,
             [&](std::int64_t n) { aggregate(n, [&](std::int64_t i) { found(i) = table[index(i)]; }); });
      if (!is_direct) all_.derive("two_functions_per_actor", by_two / by_actor);
    }
    distributed_array<std::int64_t> counts(w_, n_here_ * w_.n_pes());
    histogram("histogram_one_by_one", counts, [&] {
      for (std::int64_t i = 0; i < n_; ++i) counts[index(i)] += 1;
      w_.barrier();
    });
    histogram("histogram_by_body", counts, [&] { aggregate(n_, [&](std::int64_t i) { counts[index(i)] += 1; }); });
    histogram("histogram_by_add", counts, [&] {
      w_.finish([&] {
        for (const std::int64_t g : indices_) counts.add(g, 1);
      });
    });
  }

private:
  std::int64_t index(std::int64_t i) const { return indices_[static_cast<std::size_t>(i)]; }
  std::int64_t& found(std::int64_t i) { return found_[static_cast<std::size_t>(i)]; }

  // read(n) reads the first n elements.
  template <class Read>
  double gather(const std::string& name, std::int64_t n, const Read& read) {
    return all_.measure(
        {name, static_cast<double>(n)}, [&] { read(n); },
        [&] {
          std::int64_t n_wrong = 0;
          for (std::int64_t i = 0; i < n; ++i) n_wrong += found(i) != index(i) + 1;
          std::fill(found_.begin(), found_.end(), 0);
          return w_.sum(n_wrong) == 0;
        });
  }
  template <class Count>
  void histogram(const std::string& name, distributed_array<std::int64_t>& counts, const Count& count) {
    for (std::int64_t& each : counts.local()) each = 0;
    w_.barrier();
    all_.measure({name, static_cast<double>(n_)}, count, [&] {
      std::int64_t sum = 0;
      for (const std::int64_t each : counts.local()) sum += each;
      return w_.sum(sum) == n_ * w_.n_pes();
    });
  }

  world& w_;
  bench::benchmark& all_;
  std::int64_t n_;
  std::int64_t n_here_;
  std::vector<std::int64_t> part_;
  std::vector<std::int64_t> indices_;
  std::vector<std::int64_t> found_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_one(argc, argv, "aggregate", [](world& w, bench::benchmark& all) {
    forms_of_loops(w, all, all.is_smoke() ? 20'000 : 1'000'000, all.is_smoke() ? 1'000 : 50'000).run();
  });
}
