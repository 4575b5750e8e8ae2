// Selectors of the third generation: each mailbox has packets of its own type.
#include <vector>

#include <selector-mb.h>

#include "check.h"

namespace {

struct pair {
  int64_t a, b;
};
struct large {
  int64_t values[33];
};

struct relay : hclib::Selector<BUFFER_SIZE, int64_t, pair, large> {
  int64_t n[3] = {};
  relay() {
    static_assert(num_mailboxes == 3, "one for each type");
    mailbox<0>().process = [this](int64_t value, int from) {
      ++n[0];
      CHECK(send<1>({value, from}, shmem_my_pe()));
    };
    mailbox<1>().process = [this](pair p, int) {
      ++n[1];
      large l{};
      l.values[0] = p.a;
      l.values[32] = p.b;
      CHECK(send_by_index(2, l, static_cast<int>(p.b)));
    };
    mailbox<2>().process = [this](large l, int from) {
      CHECK(l.values[32] == shmem_my_pe() && l.values[0] % shmem_n_pes() == from);
      ++n[2];
    };
  }
};

}  // namespace

int main() {
  const char* deps[] = {"bale_actor"};
  hclib::launch(1, deps, 1, [] {
    for (int round = 0; round < 5; ++round) {
      relay its;
      hclib::finish([&] {
        its.start();
        for (int64_t i = 0; i < 3000; ++i) CHECK(its.send<0>(i, static_cast<int>(i % shmem_n_pes())));
        round % 2 == 0 ? its.done<0>() : its.done_by_index(0);
      });
      CHECK(its.n[0] == its.n[1] && its.n[2] == 3000);
      CHECK(its.get_future()->wait() == 1);
    }
    hclib::Actor<double> one(true);
    double sum = 0;
    one.mailbox<0>().process = [&](double value, int) { sum += value; };
    hclib::finish([&] {
      CHECK(one.send<0>(0.5, shmem_my_pe()));
      one.done();
    });
    CHECK(sum == 0.5);
    hclib::Selector<64, int, int> ended;
    int n = 0;
    ended.mailbox<0>().process = ended.mailbox<1>().process = [&](int, int) { ++n; };
    ended.mailbox<0>().add_dep_mbs({1});
    hclib::finish([&] {
      ended.start();
      ended.done_extended(0);
    });
    hclib::Selector<64, int> all_at_once;
    all_at_once.mailbox<0>().process = [](int, int) {};
    hclib::finish([&] {
      all_at_once.start();
      all_at_once.initiate_global_done();
    });
    PASSED();
  });
  return 0;
}
