// Messages of any size to random PEs: lists of one element beside messages of one size, lists of 1 KiB beside an elastic
// conveyor's items, lists of mixed lengths, texts, and calls with arguments beside closures.
// pes: 2
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"

namespace {

using namespace shoal;

struct traffic {
  std::vector<std::uint8_t> targets;
  std::vector<std::uint8_t> lengths;  // 0 to 7
  std::vector<std::int64_t> elements;  // as many as the longest list has
};

class comparison {
public:
  comparison(world& w, bench::benchmark& all, traffic t) : w_(w), all_(all), t_(std::move(t)) {}

  /// `run(n)` sends n messages from each PE, whose handlers add up `elements_each` on average.
  template <class Run>
  double measure(const char* name, std::size_t n, std::int64_t elements_each, Run run) {
    total_ = 0;
    return all_.measure(
        {name, static_cast<double>(n)},
        [&] {
          total_ = 0;
          w_.barrier();
          run(n);
        },
        [&] { return w_.sum(total_) == static_cast<std::int64_t>(n) * elements_each * w_.n_pes(); });
  }

  void run() {
    const std::size_t n = t_.targets.size();
    const double fixed = measure("fixed_8", n, 1, [&](std::size_t count) {
      actor to{w_, [&](std::int64_t m) { total_ += m; }};
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) to.send(t_.targets[i], t_.elements[0]);
      });
    });
    const double one = measure("list_8", n, 1, [&](std::size_t count) { send_lists(count, 1); });
    all_.derive("list_8_per_fixed_8", one / fixed);
    measure("list_mixed", n, mean_length_, [&](std::size_t count) {
      actor to{w_, [&](list<std::int64_t> m) { total_ += std::accumulate(m.begin(), m.end(), std::int64_t{0}); }};
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) {
          to.send(t_.targets[i], std::span<const std::int64_t>(t_.elements.data(), t_.lengths[i]));
        }
      });
    });
    measure("text_8", n, 1, [&](std::size_t count) {
      actor to{w_, [&](std::string_view m) { total_ += m[0]; }};
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) to.send(t_.targets[i], "\1.......");
      });
    });
    const std::size_t n_large = n / 16;
    const double elastic = measure("elastic_1024", n_large, 128, [&](std::size_t count) { push_and_pull(count); });
    const double large = measure("list_1024", n_large, 128, [&](std::size_t count) { send_lists(count, 128); });
    all_.derive("list_1024_speed_of_elastic", elastic / large);
    per_pe<std::int64_t> sum{w_, 0};
    const auto at = sum.handle();
    const double closure = measure("closure_8", n, 1, [&](std::size_t count) {
      *sum = 0;
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) {
          w_.send(t_.targets[i], [m = static_cast<std::int32_t>(t_.elements[0]), at] { *at += m; });
        }
      });
      total_ = *sum;
    });
    const double call = measure("call_8", n, 1, [&](std::size_t count) {
      *sum = 0;
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) {
          w_.send(t_.targets[i], [at](std::int32_t m) { *at += m; }, t_.elements[0]);
        }
      });
      total_ = *sum;
    });
    all_.derive("call_8_per_closure_8", call / closure);
    measure("call_text_8", n, 1, [&](std::size_t count) {
      *sum = 0;
      w_.finish([&] {
        for (std::size_t i = 0; i < count; ++i) {
          w_.send(t_.targets[i], [at](std::string_view m) { *at += m[0]; }, "\1.......");
        }
      });
      total_ = *sum;
    });
  }

private:
  void send_lists(std::size_t count, std::size_t length) {
    actor to{w_, [&](list<std::int64_t> m) { total_ += std::accumulate(m.begin(), m.end(), std::int64_t{0}); }};
    const std::span<const std::int64_t> elements(t_.elements.data(), length);
    w_.finish([&] {
      for (std::size_t i = 0; i < count; ++i) to.send(t_.targets[i], elements);
    });
  }

  void push_and_pull(std::size_t count) {
    elastic_conveyor items{w_};
    items.begin();
    const std::span<const std::byte> bytes = std::as_bytes(std::span(t_.elements));
    std::size_t i = 0;
    while (items.advance(i == count) != progress::complete) {
      while (i < count && items.push(bytes, t_.targets[i])) ++i;
      while (const elastic_conveyor::item* got = items.pull()) {
        const auto* const begin = reinterpret_cast<const std::int64_t*>(got->bytes.data());
        total_ += std::accumulate(begin, begin + got->bytes.size() / sizeof *begin, std::int64_t{0});
      }
    }
    items.reset();
  }

  static constexpr std::int64_t mean_length_ = 3;
  world& w_;
  bench::benchmark& all_;
  traffic t_;
  std::int64_t total_ = 0;
};

traffic make_traffic(world& w, std::size_t n) {
  traffic t;
  random_engine random(4, w.my_pe());
  t.elements.assign(128, 1);
  for (std::size_t i = 0; i < n; ++i) {
    t.targets.push_back(static_cast<std::uint8_t>(random.below(w.n_pes())));
    // In pairs around the mean, so that all lengths add up to it.
    const auto d = static_cast<std::uint8_t>(random.below(4));
    t.lengths.push_back(i % 2 == 0 ? 3 - d : 3);
    if (i % 2 == 1) t.lengths[i] = static_cast<std::uint8_t>(6 - t.lengths[i - 1]);
  }
  return t;
}

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "lists", given);
  comparison(w, all, make_traffic(w, all.is_smoke() ? 20'000 : 2'000'000)).run();
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
