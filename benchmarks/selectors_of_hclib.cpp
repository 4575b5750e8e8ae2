// Programs of HClib-Actor beside the same programs of Shoal: a histogram by an actor, and an index gather by a selector of two
// mailboxes.
// pes: 1 2
#define USE_SHMEM 1
#include "shoal/compat/include/selector.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/hclib_program.hpp"
#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"

namespace {

using namespace shoal;

constexpr std::int64_t n_entries = 1024;

struct question {
  std::int64_t at;
  std::int64_t value;
};
struct answer {
  std::int64_t at;
  std::int64_t value;
};

struct tables {
  std::vector<std::int64_t> counts = std::vector<std::int64_t>(n_entries);
  std::vector<std::int64_t> gathered;
};

// --- HClib-Actor's

class counting : public hclib::Actor<std::int64_t> {
public:
  explicit counting(tables& its) : its_(its) {
    mb[0].process = [this](std::int64_t at, int) { ++its_.counts[static_cast<std::size_t>(at)]; };
  }

private:
  tables& its_;
};

class gathering : public hclib::Selector<2, question> {
public:
  explicit gathering(tables& its) : its_(its) {
    mb[0].process = [this](question q, int from) {
      q.value = its_.counts[static_cast<std::size_t>(q.value)];
      send(1, q, from);
    };
    mb[1].process = [this](question q, int) { its_.gathered[static_cast<std::size_t>(q.at)] = q.value; };
  }

private:
  tables& its_;
};

// --- Shoal's

struct native_gathering : selector<native_gathering, question, answer> {
  native_gathering(world& w, tables& its) : selector(w), its_(its) {}
  void process(question q, pe_id from) { send(from, answer{q.at, its_.counts[static_cast<std::size_t>(q.value)]}); }
  void process(answer a) { its_.gathered[static_cast<std::size_t>(a.at)] = a.value; }

private:
  tables& its_;
};

void compare(world& w, bench::benchmark& all, std::size_t n) {
  tables its;
  its.gathered.assign(n, -1);
  random_engine random(1, w.my_pe());
  std::vector<std::int64_t> places;
  std::vector<pe_id> targets;
  for (std::size_t i = 0; i < n; ++i) {
    places.push_back(random.below(n_entries));
    targets.push_back(random.below(w.n_pes()));
  }
  const auto n_counted = [&] {
    std::int64_t sum = 0;
    for (const std::int64_t each : its.counts) sum += each;
    return w.sum(sum) == static_cast<std::int64_t>(n) * w.n_pes();
  };
  const auto named = [&](const char* name) {
    return bench::measured_case{.name = name, .n_per_run = static_cast<double>(n)};
  };

  actor native(w, [&](std::int64_t at) { ++its.counts[static_cast<std::size_t>(at)]; });
  const double own = all.measure(
      named("histogram"),
      [&] {
        std::ranges::fill(its.counts, 0);
        w.finish([&] {
          for (std::size_t i = 0; i < n; ++i) native.send(targets[i], places[i]);
        });
      },
      n_counted);
  const double by_header = all.measure(
      named("histogram_of_hclib"),
      [&] {
        std::ranges::fill(its.counts, 0);
        counting one(its);
        hclib::finish([&] {
          one.start();
          for (std::size_t i = 0; i < n; ++i) one.send(places[i], static_cast<int>(targets[i]));
          one.done();
        });
      },
      n_counted);
  all.derive("hclib_per_histogram", by_header / own);

  std::ranges::fill(its.counts, 0);
  const auto all_gathered = [&] {
    bool is_right = true;
    for (std::int64_t& each : its.gathered) is_right &= std::exchange(each, -1) == 0;
    return is_right;
  };
  native_gathering gather(w, its);
  const double own_gather = all.measure(
      named("gather"),
      [&] {
        w.finish([&] {
          for (std::size_t i = 0; i < n; ++i) {
            gather.send(targets[i], question{static_cast<std::int64_t>(i), places[i]});
          }
        });
      },
      all_gathered);
  const double by_header_gather = all.measure(
      named("gather_of_hclib"),
      [&] {
        gathering one(its);
        hclib::finish([&] {
          one.start();
          for (std::size_t i = 0; i < n; ++i) {
            one.send(0, {static_cast<std::int64_t>(i), places[i]}, static_cast<int>(targets[i]));
          }
          one.done(0);
        });
      },
      all_gathered);
  all.derive("hclib_per_gather", by_header_gather / own_gather);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_in_launch(argc, argv, "selectors_of_hclib", compare); }
