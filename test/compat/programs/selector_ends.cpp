// In which order mailboxes of selectors end, and which finish waits for that.
#include <vector>

#include <selector.h>

#include "check.h"

namespace {

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }

// --- Graphs of ends. Edges: 0 -> {1, 3}, 2 -> {3, 4}; each handler of 0 and 2 sends to its successors.

struct counter : hclib::Selector<5, int64_t> {
  int64_t n[5] = {};
  void count_and_pass_on() {
    for (int i = 0; i < 5; ++i) {
      mb[i].process = [this, i](int64_t value, int from) {
        CHECK(from >= 0 && from < n_pes());
        n[i] += value;
        const std::vector<int> next = i == 0   ? std::vector<int>{1, 3}
                                      : i == 2 ? std::vector<int>{3, 4}
                                               : std::vector<int>();
        for (int each : next) send(each, value, static_cast<int>((me() + each) % n_pes()));
      };
    }
  }
  void check(int64_t each) {
    const int64_t wanted[5] = {each, each, each, 2 * each, each};
    for (int i = 0; i < 5; ++i) {
      int64_t sum = n[i];
      shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, all, &sum, 1);
      CHECK(*all == wanted[i] * n_pes());
    }
  }
  static int64_t* all;
};
int64_t* counter::all = nullptr;

void graph_of_the_first_fork() {
  counter its;
  its.count_and_pass_on();
  its.mb[0].add_dep_mbs({1, 3});
  its.mb[2].add_dep_mbs({3, 4});
  CHECK(its.mb[3].get_predecessor_mbs_count() == 2 && its.mb[0].get_dep_mbs().size() == 2);
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < 3000; ++i) its.send(i % 2 == 0 ? 0 : 2, 1, i % n_pes());
    its.done_extended(0);
    its.done_extended(2);
  });
  its.check(1500);
}

void graph_of_the_second_fork() {
  counter its;
  its.count_and_pass_on();
  its.mb[0].add_dep_mailboxes({}, {1, 3});
  its.mb[1].add_dep_mailboxes({0}, {});
  its.mb[2].add_dep_mailboxes({}, {3, 4});
  its.mb[3].add_dep_mailboxes({0, 2}, {});
  its.mb[4].add_dep_mailboxes({2}, {});
  CHECK(its.mb[3].get_predecessor_count() == 2);
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < 300; ++i) its.send(i % 2 == 0 ? 0 : 2, 1, i % n_pes());
    its.done(0);
    its.done(2);
  });
  its.check(150);
}

// Three in a row, each named by the one before: a count of all that come before, however far, would never become 0.
void long_chain_of_edges() {
  hclib::Selector<3, int> its;
  int n = 0;
  for (int i = 0; i < 3; ++i) {
    its.mb[i].process = [&its, &n, i](int, int) {
      ++n;
      if (i < 2) its.send(i + 1, 0, (me() + 1) % n_pes());
    };
  }
  its.mb[0].add_dep_mbs({1});
  its.mb[1].add_dep_mbs({2});
  hclib::finish([&] {
    its.start();
    its.send(0, 0, me());
    its.done_extended(0);
  });
  CHECK(n == 3);
}

// A mailbox that feeds itself, as both forks declare it.
void cyclic(bool by_first_fork) {
  hclib::Selector<2, int> its;
  int64_t n = 0, n_last = 0;
  its.mb[0].process = [&](int left, int) {
    ++n;
    if (left > 0) {
      its.send(0, left - 1, (me() + 1) % n_pes());
    } else {
      for (int pe = 0; pe < n_pes(); ++pe) its.send(1, 0, pe);
    }
  };
  // Each PE is done when every PE's ball has stopped.
  its.mb[1].process = [&](int, int) {
    if (++n_last == n_pes()) by_first_fork ? its.done_extended(0) : its.done(0);
  };
  if (by_first_fork) {
    its.mb[0].add_dep_mbs({0, 1});
  } else {
    its.mb[0].add_dep_mailboxes({0}, {0, 1});
    its.mb[1].add_dep_mailboxes({0}, {});
  }
  hclib::finish([&] {
    its.start();
    its.send(0, 20, me());
  });
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, counter::all, &n, 1);
  CHECK(*counter::all == 21 * n_pes());
}

// The chain goes on from the mailbox that was done first, around to the first.
void chain_from_the_middle() {
  hclib::Selector<4, int> its;
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    its.mb[i].process = [&, i](int, int) {
      order.push_back(i);
      if (i != 1) its.send((i + 1) % 4, 0, me());
    };
  }
  hclib::finish([&] {
    its.start();
    its.send(2, 0, me());
    its.done(2);
  });
  CHECK((order == std::vector<int>{2, 3, 0, 1}));
}

// Two roots, each done in a finish of its own, which waits for what it has ended and no more.
void roots(bool by_first_fork) {
  hclib::Selector<2, int> its;
  int n[2] = {};
  for (int i = 0; i < 2; ++i) {
    its.mb[i].process = [&n, i](int, int) { ++n[i]; };
    if (by_first_fork) {
      its.mb[i].add_dep_mbs({i});
    } else {
      its.mb[i].add_dep_mailboxes({i}, {i});
    }
  }
  its.start();
  for (int i = 0; i < 2; ++i) {
    hclib::finish([&] {
      for (int pe = 0; pe < n_pes(); ++pe) its.send(i, 0, pe);
      by_first_fork ? its.done_extended(i) : its.done(i);
    });
    CHECK(n[i] == n_pes());
  }
}

// Calls that come after the end on other PEs have no effect on selectors that have the same words later.
void late_global_ends() {
  for (int i = 0; i < 4400; ++i) {
    hclib::Actor<int> its;
    int n = 0;
    its.mb[0].process = [&n](int, int) { ++n; };
    const bool is_late = i < 150 && me() == n_pes() - 1;
    hclib::finish([&] {
      its.start();
      for (int pe = 0; pe < n_pes(); ++pe) its.send(0, pe);
      its.done();
      if (is_late) hclib::yield();
      if (is_late) i % 2 == 0 ? its.global_done() : its.initiate_global_done();
    });
    CHECK(i < 150 || n == n_pes());
  }
}

}  // namespace

// With few buffers starts are slow. Then the argument is "tight".
int main(int argc, char*[]) {
  const bool is_tight = argc > 1;
  const char* deps[] = {"system", "bale_actor"};
  shmem_init(); /* some programs do */
  hclib::launch(deps, 2, [=] {
    counter::all = static_cast<int64_t*>(shmem_malloc(4 * sizeof(int64_t)));
    for (int i = 0; i < 10; ++i) {
      graph_of_the_first_fork();
      graph_of_the_second_fork();
      long_chain_of_edges();
      cyclic(true);
      cyclic(false);
      chain_from_the_middle();
      roots(true);
      roots(false);
    }
    if (!is_tight) late_global_ends();
    shmem_free(counter::all);
    PASSED();
  });
  shmem_finalize();
  return 0;
}
