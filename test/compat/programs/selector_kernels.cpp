// Kernels of HClib-Actor as selectors, each verified: histogram, index gather, random permutation with early exit and with a
// global end, factorial, permutation of a matrix's rows.
#include <algorithm>
#include <vector>

#include <libgetput.h>
#include <selector.h>

#include "check.h"

namespace {

// --- Histogram

class counting : public hclib::Actor<int64_t> {
  int64_t* counts_;
  void process(int64_t index, int /*from*/) { ++counts_[index]; }

public:
  explicit counting(int64_t* counts) : counts_(counts) {
    mb[0].process = [this](int64_t index, int from) { process(index, from); };
  }
};

void histogram(int64_t n, int64_t n_bins) {
  int64_t* counts = static_cast<int64_t*>(lgp_all_alloc(n_bins * THREADS, sizeof(int64_t)));
  for (int64_t i = 0; i < n_bins; ++i) counts[i] = 0;
  lgp_barrier();
  srand(static_cast<unsigned>(MYTHREAD + 120348));
  std::vector<int64_t> index(static_cast<size_t>(n));
  for (int64_t& each : index) each = rand() % (n_bins * THREADS);
  counting its(counts);
  hclib::finish([&] {
    its.start();
    for (int64_t each : index) CHECK(its.send(each / THREADS, static_cast<int>(each % THREADS)));
    its.done();
  });
  lgp_barrier();
  for (int64_t each : index) lgp_atomic_add(counts, each, -1);
  lgp_barrier();
  CHECK(std::count(counts, counts + n_bins, 0) == n_bins);
  lgp_all_free(counts);
}

// --- Index gather

struct question {
  int64_t idx, val;
};

class gathering : public hclib::Selector<2, question> {
  enum { REQUEST, RESPONSE };
  const int64_t* table_;
  int64_t* target_;

public:
  gathering(const int64_t* table, int64_t* target) : table_(table), target_(target) {
    mb[REQUEST].process = [this](question q, int from) {
      q.val = table_[q.val];
      send(RESPONSE, q, from);
    };
    mb[RESPONSE].process = [this](question q, int) { target_[q.idx] = q.val; };
  }
};

void index_gather(int64_t n, int64_t n_entries) {
  std::vector<int64_t> table(static_cast<size_t>(n_entries)), target(static_cast<size_t>(n)), index(target.size());
  for (int64_t i = 0; i < n_entries; ++i) table[static_cast<size_t>(i)] = -(i * THREADS + MYTHREAD + 1);
  srand(static_cast<unsigned>(MYTHREAD + 5));
  for (int64_t& each : index) each = rand() % (n_entries * THREADS);
  gathering its(table.data(), target.data());
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < n; ++i) {
      const int64_t g = index[static_cast<size_t>(i)];
      its.send(0, {i, g / THREADS}, static_cast<int>(g % THREADS));
    }
    its.done(0);
  });
  for (int64_t i = 0; i < n; ++i) CHECK(target[static_cast<size_t>(i)] == -(index[static_cast<size_t>(i)] + 1));
}

// --- Random permutation by darts

enum { THROW, REPLY };

class throwing : public hclib::Selector<2, question> {
  std::vector<int64_t>& target_;
  std::vector<int64_t>& perm_;
  int64_t &end_, &hits_;

public:
  throwing(std::vector<int64_t>& target, std::vector<int64_t>& perm, int64_t& end, int64_t& hits)
      : target_(target), perm_(perm), end_(end), hits_(hits) {
    mb[THROW].set_is_early_exit(true);
    mb[THROW].process = [this](question q, int from) {
      int64_t& place = target_[static_cast<size_t>(q.idx)];
      if (place == -1) {
        place = q.val;
      } else {
        q.val = -(q.val + 1);
      }
      q.idx = q.val;
      send(REPLY, q, from);
    };
    mb[REPLY].process = [this](question q, int) {
      if (q.idx < 0) {
        perm_[static_cast<size_t>(--end_)] = -q.idx - 1;
      } else {
        ++hits_;
      }
    };
  }
};

void random_permutation(int64_t n_here, long seed) {
  const int64_t n_places = 2 * n_here;
  std::vector<int64_t> target(static_cast<size_t>(n_places), -1), perm(static_cast<size_t>(n_here));
  for (int64_t i = 0; i < n_here; ++i) perm[static_cast<size_t>(i)] = i * THREADS + MYTHREAD;
  int64_t end = 0, hits = 0;
  srand48(seed + MYTHREAD);
  throwing its(target, perm, end, hits);
  hclib::finish([&] {
    its.start();
    while (hits < n_here) {
      while (end < n_here) {
        const int64_t r = lrand48() % (n_places * THREADS);
        if (its.send(THROW, {r / THREADS, perm[static_cast<size_t>(end)]}, static_cast<int>(r % THREADS))) {
          ++end;
        } else {
          hclib::yield();
        }
      }
      hclib::yield();
    }
    its.done(THROW);
  });
  // Every dart has landed, once.
  std::vector<int64_t> seen(static_cast<size_t>(n_here));
  int64_t* all_seen = static_cast<int64_t*>(lgp_all_alloc(n_here * THREADS, sizeof(int64_t)));
  for (int64_t i = 0; i < n_here; ++i) all_seen[i] = 0;
  lgp_barrier();
  for (int64_t dart : target) {
    if (dart >= 0) lgp_atomic_add(all_seen, dart, 1);
  }
  lgp_barrier();
  CHECK(std::count(all_seen, all_seen + n_here, 1) == n_here);
  lgp_all_free(all_seen);
}

// A dart that has missed is thrown again by the PE that it missed. So no PE knows when the last has landed, but all together.
class rethrowing : public hclib::Actor<int64_t> {
public:
  std::vector<int64_t> target;
  int64_t n_landed = 0;

  explicit rethrowing(int64_t n_places) : target(static_cast<size_t>(n_places), -1) {
    mb[0].process = [this](int64_t dart, int) { land(dart); };
  }
  void land(int64_t dart) {
    const int64_t r = lrand48() % (static_cast<int64_t>(target.size()) * THREADS);
    if (r % THREADS != MYTHREAD || target[static_cast<size_t>(r / THREADS)] != -1) {
      send(dart, static_cast<int>(r % THREADS));
      return;
    }
    target[static_cast<size_t>(r / THREADS)] = dart;
    ++n_landed;
    // All darts of all PEs.
    if (lgp_fetch_and_inc(n_all, 0) + 1 == n_wanted) global_done();
  }
  int64_t* n_all = nullptr;
  int64_t n_wanted = 0;
};

void permutation_with_global_end(int64_t n_here) {
  rethrowing its(2 * n_here);
  its.n_all = static_cast<int64_t*>(lgp_all_alloc(THREADS, sizeof(int64_t)));
  *its.n_all = 0;
  its.n_wanted = n_here * THREADS;
  srand48(17 + MYTHREAD);
  lgp_barrier();
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < n_here; ++i) its.send(i * THREADS + MYTHREAD, static_cast<int>(lrand48() % THREADS));
  });
  CHECK(lgp_reduce_add_l(its.n_landed) == its.n_wanted);
  lgp_all_free(its.n_all);
}

// Each PE says when it needs no more; the last ends it for all.
void last_one_ends_it() {
  class ring : public hclib::Actor<int> {
  public:
    int n_seen = 0;
    ring() {
      mb[0].process = [this](int n, int) {
        ++n_seen;
        if (n > 0) send(n - 1, (MYTHREAD + 1) % THREADS);
        if (n_seen == 10) initiate_global_done();
      };
    }
  } its;
  hclib::finish([&] {
    its.start();
    its.send(9, (MYTHREAD + 1) % THREADS);
  });
  CHECK(its.n_seen == 10);
}

// --- Factorial: handlers send on after done, and the last such packet is dropped.

class factorial : public hclib::Actor<question> {
public:
  int64_t result = 0;
  factorial() {
    mb[0].process = [this](question q, int) {
      if (q.idx > 1) {
        send({q.idx - 1, q.val * q.idx}, static_cast<int>((MYTHREAD + 1) % THREADS));
      } else if (q.idx == 1) {
        result = q.val;
        for (int pe = 0; pe < THREADS; ++pe) send({0, 0}, pe);
      } else {
        done();
        send({7, 7}, 0); /* dropped */
      }
    };
  }
};

void factorials() {
  factorial its;
  hclib::finish([&] {
    its.start();
    if (MYTHREAD == 0) its.send({10, 1}, 0);
  });
  CHECK(lgp_reduce_max_l(its.result) == 3628800);
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* deps[] = {"system", "bale_actor"};
  const int64_t n = argc > 1 ? atol(argv[1]) : 20000; /* few where there is one slot */
  hclib::launch(deps, 2, [=] {
    histogram(n, 100);
    histogram(0, 1);
    index_gather(n, 1000);
    for (long seed = 1; seed <= 20; ++seed) random_permutation(seed == 1 ? n : n / 10, seed);
    permutation_with_global_end(n / 10);
    for (int i = 0; i < 50; ++i) last_one_ends_it();
    for (int i = 0; i < 50; ++i) factorials();
    lgp_barrier();
    PASSED();
  });
  return 0;
}
