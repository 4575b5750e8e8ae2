// Programs of HClib-Actor that send lambdas, beside the same programs of Shoal: a histogram, and an index gather whose lambda sends
// another one back. HClib's lambdas carry the addresses of what they use, which are the same on all PEs; Shoal's are given it.
// pes: 1 2
#define USE_SHMEM 1
#define USE_LAMBDA 1
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

constexpr std::size_t n_entries = 1024;

// Both are in the symmetric heap, so HClib's lambdas may carry their addresses.
struct tables {
  std::int64_t* counts;
  std::int64_t* gathered;
};

// What Shoal's closures use where they run.
struct place {
  place(world& w, const tables& its) : mine(its), replies(w, mine, "replies") {}
  tables mine;
  lambda_actor<tables> replies;
};

hclib::Selector<2>* asking;  // of this PE, as programs of HClib keep it

void compare(world& w, bench::benchmark& all, std::size_t n) {
  const tables its{static_cast<std::int64_t*>(shmem_malloc(n_entries * sizeof(std::int64_t))),
                   static_cast<std::int64_t*>(shmem_malloc(n * sizeof(std::int64_t)))};
  std::fill_n(its.gathered, n, -1);
  random_engine random(1, w.my_pe());
  std::vector<std::int64_t> places;
  std::vector<pe_id> targets;
  for (std::size_t i = 0; i < n; ++i) {
    places.push_back(random.below(static_cast<std::int64_t>(n_entries)));
    targets.push_back(random.below(w.n_pes()));
  }
  const auto n_counted = [&] {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n_entries; ++i) sum += its.counts[i];
    return w.sum(sum) == static_cast<std::int64_t>(n) * w.n_pes();
  };
  const auto named = [&](const char* name) {
    return bench::measured_case{.name = name, .n_per_run = static_cast<double>(n)};
  };

  tables mine = its;
  lambda_actor native(w, mine);
  const double own = all.measure(
      named("histogram"),
      [&] {
        std::fill_n(its.counts, n_entries, 0);
        w.finish([&] {
          for (std::size_t i = 0; i < n; ++i) native.send(targets[i], [at = places[i]](tables& t) { ++t.counts[at]; });
        });
      },
      n_counted);
  const double by_header = all.measure(
      named("histogram_of_hclib"),
      [&] {
        std::fill_n(its.counts, n_entries, 0);
        shmem_barrier_all();
        hclib::Actor<> one;
        hclib::finish([&] {
          one.start();
          for (std::size_t i = 0; i < n; ++i) {
            one.send(static_cast<int>(targets[i]), [counts = its.counts, at = places[i]] { ++counts[at]; });
          }
          one.done();
        });
      },
      n_counted);
  all.derive("hclib_per_histogram", by_header / own);

  std::fill_n(its.counts, n_entries, 0);
  shmem_barrier_all();
  const auto all_gathered = [&] {
    bool is_right = true;
    for (std::size_t i = 0; i < n; ++i) is_right &= std::exchange(its.gathered[i], -1) == 0;
    return is_right;
  };
  place here(w, its);
  lambda_actor queries(w, here, "queries");
  const double own_gather = all.measure(
      named("gather"),
      [&] {
        w.finish([&] {
          for (std::size_t i = 0; i < n; ++i) {
            queries.send(targets[i], [slot = static_cast<std::int64_t>(i), at = places[i]](place& there, pe_id from) {
              const std::int64_t value = there.mine.counts[at];
              there.replies.send(from, [slot, value](tables& t) { t.gathered[slot] = value; });
            });
          }
        });
      },
      all_gathered);
  const double by_header_gather = all.measure(
      named("gather_of_hclib"),
      [&] {
        hclib::Selector<2> one;
        asking = &one;
        hclib::finish([&] {
          one.start();
          for (std::size_t i = 0; i < n; ++i) {
            one.send(0, static_cast<int>(targets[i]),
                     [table = its.counts, at = places[i], to = its.gathered + i, from = static_cast<int>(w.my_pe())] {
                       const std::int64_t value = table[at];
                       asking->send(1, from, [to, value] { *to = value; });
                     });
          }
          one.done(0);
        });
      },
      all_gathered);
  all.derive("hclib_per_gather", by_header_gather / own_gather);
  shmem_free(its.gathered);
  shmem_free(its.counts);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_in_launch(argc, argv, "lambdas_of_hclib", compare); }
