// Handlers of selectors and tasks of HClib that put, add and get, where such calls travel as messages; beside the
// functors of selector_shmem.h, whose objects have the names of the calls. The calls are carried out where handlers are
// held, too.
#include <algorithm>
#include <vector>

#include <selector_shmem.h>

#include "check.h"

namespace {

constexpr int64_t n_cells = 256;
constexpr int64_t n_sent = 3000;
// Symmetric, of n_cells each.
int64_t *counts, *marks, *sums, *flag;

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }
int other(int64_t i) { return static_cast<int>(i % n_pes()); }

// Each packet makes its handler add on a third PE, and set a word there.
class adding : public hclib::Actor<int64_t> {
public:
  adding() {
    mb[0].process = [this](int64_t i, int) {
      shmem_int64_atomic_add(counts + i % n_cells, 1, other(i * 7 + 1));
      shmem_int64_p(marks + i % n_cells, i % n_cells + 1, other(i * 7 + 1));
      shmem_fence();
      n_handled += shmem_int64_g(flag, other(i + 1)) == 0;  // waits for no call before it
    };
  }
  int64_t n_handled = 0;
};

void by_handlers() {
  adding its;
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < n_sent; ++i) {
      its.send(i, other(i + me()));
      if (i % 100 == 0) shmem_int64_atomic_inc(sums, other(i));
      if (i % 1000 == 999) shmem_quiet();
    }
    its.done();
  });
  shmem_barrier_all();
  int64_t n_added = 0;
  for (int64_t i = 0; i < n_cells; ++i) {
    n_added += counts[i];
    CHECK(marks[i] == 0 || marks[i] == i + 1);
  }
  int64_t all[3];
  int64_t mine[3] = {n_added, its.n_handled, sums[0]};
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, all, mine, 3);
  CHECK(all[0] == n_sent * n_pes() && all[1] == n_sent * n_pes() && all[2] == n_sent / 100 * n_pes());
  shmem_barrier_all();
}

// A handler finds what it has put before, and what the main program has put before it ran: here a read and a write of the same word.
void handlers_find_what_was_put() {
  hclib::Actor<int64_t> its;
  const int64_t at = 100 + me();
  its.mb[0].process = [at](int64_t pe, int) {
    const int64_t value = shmem_int64_g(sums + at, static_cast<int>(pe));
    shmem_int64_p(sums + at, value + 1, static_cast<int>(pe));
  };
  for (int pe = 0; pe < n_pes(); ++pe) shmem_int64_p(sums + at, 1000, pe);
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < 300; ++i) its.send(i % n_pes(), me()); /* all handlers of a PE have cells of its own */
    its.done();
  });
  for (int pe = 0; pe < n_pes(); ++pe) {
    const int64_t n_here = 300 / n_pes() + (pe < 300 % n_pes());
    CHECK(shmem_int64_g(sums + at, pe) == 1000 + n_here);
  }
  shmem_barrier_all();
}

// PE 0 waits in a quiet and in a get for PEs that are within a barrier, where no handler of a program may run.
void while_held() {
  static int64_t n_run;
  n_run = 0;
  hclib::Actor<int64_t> its;
  its.mb[0].process = [](int64_t, int) { ++n_run; };
  hclib::finish([&] {
    its.start();
    for (int pe = 0; pe < n_pes(); ++pe) its.send(1, pe);
    if (me() == 0) {
      for (int pe = 0; pe < n_pes(); ++pe) shmem_int64_atomic_add(sums + 1, 1, pe);
      shmem_quiet();
      for (int pe = 0; pe < n_pes(); ++pe) CHECK(shmem_int64_g(sums + 1, pe) == 1);
    }
    const int64_t before = n_run;
    shmem_barrier_all();
    CHECK(n_run == before && sums[1] == 1);
    its.done();
  });
  CHECK(n_run == n_pes());
  shmem_barrier_all();
}

void by_tasks() {
  hclib::finish([] {
    for (int64_t i = 0; i < 500; ++i) {
      hclib::async([i] {
        shmem_int64_atomic_add(sums + 2, i, other(i));
        if (i % 50 == 0) shmem_quiet();
        hclib::yield();
        shmem_int64_atomic_inc(sums + 3, other(i));
      });
    }
  });
  shmem_barrier_all();
  int64_t all[2];
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, all, sums + 2, 2);
  CHECK(all[0] == 499 * 250 * n_pes() && all[1] == 500 * n_pes());
  shmem_barrier_all();
}

void by_functors() {
  hclib::AtomicAdd<int64_t> shmem_atomic_add;
  hclib::AtomicInc<int64_t> shmem_atomic_inc;
  hclib::Put_nbi<int64_t> shmem_put_nbi;
  hclib::Get_nbi<int64_t> shmem_get_nbi;
  std::vector<int64_t> got(64, -1);
  int64_t three[] = {1, 2, 3};
  std::fill(sums, sums + n_cells, 0);
  shmem_barrier_all();
  hclib::finish([&] {
    shmem_atomic_add.start();
    shmem_atomic_inc.start();
    shmem_put_nbi.start();
    shmem_get_nbi.start();
    for (int64_t i = 0; i < 1000; ++i) {
      shmem_atomic_add(sums + 10, i, other(i));
      shmem_atomic_inc(sums + 11, other(i));
      shmem_int64_atomic_inc(sums + 12, other(i));
    }
    shmem_put_nbi(sums + 20 + 3 * me(), three, 3, other(me() + 1));
    shmem_get_nbi(got.data(), marks, got.size(), me());
    shmem_atomic_add.done();
    shmem_atomic_inc.done();
    shmem_put_nbi.done();
    shmem_get_nbi.done();
  });
  shmem_barrier_all();
  int64_t all[3];
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, all, sums + 10, 3);
  CHECK(all[0] == 999 * 500 * n_pes() && all[1] == 1000 * n_pes() && all[2] == 1000 * n_pes());
  const int before = (me() + n_pes() - 1) % n_pes();
  for (int i = 0; i < 3; ++i) CHECK(sums[20 + 3 * before + i] == i + 1);
  for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == marks[i]);
  shmem_barrier_all();
}

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [] {
    for (int64_t** each : {&counts, &marks, &sums, &flag}) {
      *each = static_cast<int64_t*>(shmem_calloc(n_cells, sizeof(int64_t)));
    }
    by_handlers();
    handlers_find_what_was_put();
    while_held();
    by_tasks();
    by_functors();
    PASSED();
  });
  return 0;
}
