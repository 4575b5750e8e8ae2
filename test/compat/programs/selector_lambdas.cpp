// Lambdas of HClib-Actor: sizes from one byte to more than a buffer, nested sends, order, what they may capture.
#define USE_LAMBDA
#include <cstring>
#include <vector>

#include <libgetput.h>
#include <selector.h>

#include "check.h"

namespace {

hclib::Selector<2>* here; /* at another address on each PE */
int64_t* symmetric;

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }

void histogram() {
  constexpr int64_t n = 20000, n_bins = 64;
  int64_t* counts = static_cast<int64_t*>(lgp_all_alloc(n_bins * THREADS, sizeof(int64_t)));
  for (int64_t i = 0; i < n_bins; ++i) counts[i] = 0;
  lgp_barrier();
  srand(static_cast<unsigned>(MYTHREAD));
  std::vector<int64_t> index;
  for (int64_t i = 0; i < n; ++i) index.push_back(rand() % (n_bins * THREADS));
  hclib::Actor<int64_t> its;
  hclib::finish([&] {
    its.start();
    for (int64_t each : index) {
      const int64_t at = each / THREADS;
      its.send(static_cast<int>(each % THREADS), [counts, at] { ++counts[at]; });
    }
    its.done();
  });
  lgp_barrier();
  for (int64_t each : index) lgp_atomic_add(counts, each, -1);
  lgp_barrier();
  for (int64_t i = 0; i < n_bins; ++i) CHECK(counts[i] == 0);
  lgp_all_free(counts);
}

template <int Bytes>
struct block {
  unsigned char bytes[Bytes];
};

// Counts those that arrive unharmed, in a symmetric word.
template <int Bytes>
void send_block() {
  block<Bytes> sent;
  for (int i = 0; i < Bytes; ++i) sent.bytes[i] = static_cast<unsigned char>(i * 7 + Bytes);
  int64_t* const counts = symmetric;
  for (int pe = 0; pe < n_pes(); ++pe) {
    here->send(0, pe, [sent, counts] {
      for (int i = 0; i < Bytes; ++i) CHECK(sent.bytes[i] == static_cast<unsigned char>(i * 7 + Bytes));
      ++*counts;
    });
  }
}

struct alignas(64) aligned {
  int64_t value;
};

void sizes() {
  hclib::Selector<2> its;
  here = &its;
  *symmetric = 0;
  shmem_barrier_all();
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < 20; ++i) {
      send_block<1>();
      send_block<2>();
      send_block<7>();
      send_block<8>();
      send_block<16>();
      send_block<100>();
      send_block<1000>();
      send_block<20000>();
      send_block<32748>();
      send_block<65536>();
      const aligned one = {4711};
      int64_t* const counts = symmetric;
      its.send(0, (me() + 1) % n_pes(), [one, counts] {
        CHECK(reinterpret_cast<uintptr_t>(&one) % 64 == 0 && one.value == 4711);
        ++*counts;
      });
    }
    its.done(0);
  });
  shmem_barrier_all();
  CHECK(*symmetric == 20 * (10 * n_pes() + 1));
}

// Three deep: a question goes to a second PE, on to a third, and back with an address of the first, private to it.
void nested() {
  hclib::Selector<2> its;
  here = &its;
  std::vector<int64_t> answers(5000, -1);
  *symmetric = me();
  int64_t* const n_ready = static_cast<int64_t*>(shmem_calloc(1, sizeof(int64_t)));
  hclib::finish([&] {
    its.start();
    for (size_t i = 0; i < answers.size(); ++i) {
      int64_t* const answer = &answers[i];
      int64_t* const value = symmetric;
      const int origin = me(), second = static_cast<int>(i) % n_pes(), third = static_cast<int>(i / 2) % n_pes();
      its.send(0, second, [=] {
        const int64_t first_part = *value;
        here->send(1, third, [=] {
          const int64_t both = first_part * 1000 + *value;
          here->send(1, origin, [=] { *answer = both; });
        });
      });
    }
    its.done_extended(0);
    /* The second mailbox ends when all answers have come everywhere, which the program itself knows. */
    for (size_t i = 0; i < answers.size(); ++i) {
      while (answers[i] == -1) hclib::yield();
    }
    shmem_int64_atomic_inc(n_ready, 0);
    while (shmem_int64_atomic_fetch(n_ready, 0) != n_pes()) hclib::yield();
    its.done_extended(1);
  });
  for (size_t i = 0; i < answers.size(); ++i) {
    CHECK(answers[i] == static_cast<int64_t>(i) % n_pes() * 1000 + static_cast<int64_t>(i / 2) % n_pes());
  }
  shmem_free(n_ready);
}

// Lambdas of different types from one PE to another run in the order of their sends.
void order() {
  hclib::Actor<> its;
  static std::vector<int64_t>* last;
  std::vector<int64_t> seen(static_cast<size_t>(n_pes()), -1);
  last = &seen;
  shmem_barrier_all();
  hclib::finish([&] {
    its.start();
    const size_t from = static_cast<size_t>(me());
    for (int64_t i = 0; i < 3000; ++i) {
      for (int pe = 0; pe < n_pes(); ++pe) {
        if (i % 3 == 0) {
          its.send(pe, [from, i] {
            CHECK((*last)[from] == i - 1);
            (*last)[from] = i;
          });
        } else if (i % 100 == 1) {
          block<40000> large;
          memset(&large, 3, sizeof large);
          its.send(pe, [from, i, large] {
            CHECK((*last)[from] == i - 1 && large.bytes[39999] == 3);
            (*last)[from] = i;
          });
        } else {
          const int small = static_cast<int>(i);
          its.send(pe, [small, from] {
            CHECK((*last)[from] == small - 1);
            (*last)[from] = small;
          });
        }
      }
    }
    its.done();
  });
  for (const int64_t each : seen) CHECK(each == 2999);
}

// Without early exit a send returns true; with it, false where it would wait, and then it has not been sent.
void early_exit() {
  hclib::Actor<> its;
  its.mb[0].set_is_early_exit(true);
  *symmetric = 0;
  shmem_barrier_all();
  int64_t n_sent = 0;
  int64_t* const counts = symmetric;
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < 3000; ++i) {
      block<5000> some;
      memset(&some, i, sizeof some);
      if (its.send((me() + 1) % n_pes(), [some, counts] { *counts += some.bytes[0] == some.bytes[4999]; })) ++n_sent;
    }
    its.done();
  });
  shmem_barrier_all();
  CHECK(shmem_int64_g(symmetric, (me() + 1) % n_pes()) == n_sent);
  shmem_barrier_all();
}

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [] {
    symmetric = static_cast<int64_t*>(shmem_malloc(sizeof(int64_t)));
    histogram();
    sizes();
    nested();
    order();
    early_exit();
    shmem_free(symmetric);
    PASSED();
  });
  return 0;
}
