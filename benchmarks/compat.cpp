// What the calls of shmem.h and convey.h cost: elements and atomics on the next PE beside loads, stores and atomics through
// shmem_ptr, and convey_push and convey_pull beside conveyor<T>.
// pes: 1 2
#include <atomic>
#include <cstdint>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"
#include "shoal/compat/include/convey.h"
#include "shoal/compat/include/shmem.h"
#include "shoal/conveyor/conveyor.hpp"

namespace {

using namespace shoal;

constexpr std::int64_t n_cells = 1024;

class comparison {
public:
  comparison(world& w, bench::benchmark& all, std::size_t n)
      : w_(w), all_(all), cells_(static_cast<std::int64_t*>(shmem_calloc(n_cells, sizeof(std::int64_t)))) {
    const int next = static_cast<int>((w.my_pe() + 1) % w.n_pes());
    next_ = next;
    there_ = static_cast<std::int64_t*>(shmem_ptr(cells_, next));
    random_engine random(1, w.my_pe());
    for (std::size_t i = 0; i < n; ++i) {
      places_.push_back(random.below(n_cells));
      targets_.push_back(random.below(w.n_pes()));
    }
  }

  void run() {
    if (there_ != nullptr) elements();
    conveyors();
    shmem_free(cells_);
  }

private:
  void elements() {
    std::int64_t sum = 0;
    const double store = measure("store", [&](std::int64_t at, std::int64_t i) {
      std::atomic_ref(there_[at]).store(i, std::memory_order_relaxed);
    });
    const double put =
        measure("int64_p", [&](std::int64_t at, std::int64_t i) { shmem_int64_p(cells_ + at, i, next_); });
    const double load = measure("load", [&](std::int64_t at, std::int64_t) {
      sum += std::atomic_ref(there_[at]).load(std::memory_order_relaxed);
    });
    const double get =
        measure("int64_g", [&](std::int64_t at, std::int64_t) { sum += shmem_int64_g(cells_ + at, next_); });
    const double add = measure("add", [&](std::int64_t at, std::int64_t i) {
      sum += std::atomic_ref(there_[at]).fetch_add(i, std::memory_order_relaxed);
    });
    const double fetch_add = measure("int64_atomic_fetch_add", [&](std::int64_t at, std::int64_t i) {
      sum += shmem_int64_atomic_fetch_add(cells_ + at, i, next_);
    });
    kept_ = sum;
    all_.derive("int64_p_more_ns", put - store);
    all_.derive("int64_g_more_ns", get - load);
    all_.derive("int64_atomic_fetch_add_more_ns", fetch_add - add);
  }

  // `change` of a cell and a number; what it leaves there is what a loop over plain memory leaves, if it changes anything.
  template <class Change>
  double measure(const char* name, Change change) {
    return all_.measure(
        {.name = name, .n_per_run = static_cast<double>(places_.size())},
        [&] {
          std::int64_t i = 0;
          for (const std::int64_t at : places_) change(at, i++);
        },
        [&] {
          shmem_barrier_all();
          std::int64_t seen = 0;
          for (std::int64_t at = 0; at < n_cells; ++at) seen += shmem_int64_g(cells_ + at, next_) == there_[at];
          shmem_barrier_all();
          return seen == n_cells;
        });
  }

  void conveyors() {
    shoal::conveyor<std::int64_t> native{w_};
    convey_t* const c = convey_new(SIZE_MAX, 0, nullptr, 0);
    std::int64_t sum = 0;
    const auto is_right = [&] {
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < targets_.size(); ++i) expected += places_[i];
      const bool is_all = w_.sum(sum) == w_.sum(expected);
      sum = 0;
      return is_all;
    };
    const double own = all_.measure(
        {.name = "conveyor", .n_per_run = static_cast<double>(targets_.size())},
        [&] {
          sum = 0;
          native.begin();
          std::size_t i = 0;
          pe_id from = 0;
          while (native.advance(i == targets_.size()) != progress::complete) {
            for (; i < targets_.size() && native.push(places_[i], targets_[i]); ++i) {
            }
            while (const std::int64_t* const got = native.pull(from)) sum += *got;
          }
          native.reset();
        },
        is_right);
    const double by_header = all_.measure(
        {.name = "convey.h", .n_per_run = static_cast<double>(targets_.size())},
        [&] {
          sum = 0;
          convey_begin(c, sizeof(std::int64_t), 0);
          std::size_t i = 0;
          std::int64_t got = 0;
          std::int64_t from = 0;
          while (convey_advance(c, i == targets_.size()) != convey_DONE) {
            for (; i < targets_.size() && convey_push(c, &places_[i], targets_[i]) == convey_OK; ++i) {
            }
            while (convey_pull(c, &got, &from) == convey_OK) sum += got;
          }
          convey_reset(c);
        },
        is_right);
    all_.derive("convey_h_per_conveyor", by_header / own);
    convey_free(c);
  }

  world& w_;
  bench::benchmark& all_;
  std::int64_t* cells_;
  std::int64_t* there_ = nullptr;
  int next_ = 0;
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> targets_;
  volatile std::int64_t kept_ = 0;  // so that loads are made
};

}  // namespace

int main(int argc, char** argv) {
  shmem_init();
  world& w = world::of_job();
  int status = 0;
  try {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    bench::benchmark all(w, "compat", given);
    comparison(w, all, given.is_smoke ? 20'000 : 2'000'000).run();
    status = all.status();
  } catch (const setup_error& e) {
    w.end_job(2, e.what());
  }
  shmem_finalize();
  return status;
}
