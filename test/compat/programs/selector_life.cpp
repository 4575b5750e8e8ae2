// When handlers of selectors run, how many selectors live, what lives beside them, and what packets they carry.
#include <memory>
#include <vector>

#include <exstack.h>
#include <selector.h>

#include "check.h"

namespace {

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }

int64_t* sums; /* symmetric, room for 4 */

// --- Handlers and yield points

void handlers_run_at_yield_points_only() {
  hclib::Actor<int> its(true); /* started before it has a handler */
  int n_handled = 0;
  int* const value = static_cast<int*>(shmem_calloc(1, sizeof(int)));
  shmem_barrier_all();
  its.mb[0].process = [&](int one, int) { n_handled += one; };
  its.send(1, (me() + 1) % n_pes()); /* a buffer for one PE: does not wait */
  for (int i = 0; i < 20; ++i) {
    shmem_barrier_all();
    *value = i;
    shmem_int_p(value, i, (me() + 1) % n_pes());
    shmem_barrier_all();
    CHECK(shmem_int_g(value, me()) == i);
    CHECK(n_handled == 0);
  }
  while (n_handled < 1) hclib::yield();
  shmem_barrier_all();
  its.done();
  CHECK(its.get_future()->wait() == 1);
  shmem_free(value);
  CHECK(n_handled == 1);
}

// One PE sends far more than there is room for, while the others wait in a barrier. They keep it.
void senders_go_on_while_others_wait(int64_t n) {
  hclib::Actor<int64_t> its;
  int64_t sum = 0;
  its.mb[0].process = [&](int64_t one, int) { sum += one; };
  hclib::finish([&] {
    its.start();
    if (me() == n_pes() - 1) {
      for (int64_t i = 0; i < n; ++i) its.send(1, static_cast<int>(i % n_pes()));
    }
    its.done();
    shmem_barrier_all();
  });
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sums, &sum, 1);
  CHECK(*sums == n);
}

// A handler never waits: this one sends a hundred packets for each.
void handlers_send_without_limit(int n_each) {
  hclib::Selector<2, int> its;
  int64_t n = 0;
  its.mb[0].process = [&](int, int) {
    for (int i = 0; i < 100; ++i) its.send(1, 0, i % n_pes());
  };
  its.mb[1].process = [&](int, int) { ++n; };
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < n_each; ++i) its.send(0, 0, (me() + i) % n_pes());
    its.done(0);
  });
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sums, &n, 1);
  CHECK(*sums == 100 * n_each * n_pes());
}

// --- Many selectors

void one_after_the_other(int n_rounds) {
  for (int i = 0; i < n_rounds; ++i) {
    std::unique_ptr<hclib::Selector<2, int>> its(new hclib::Selector<2, int>);
    int n = 0;
    hclib::Selector<2, int>& s = *its;
    s.mb[0].process = [&](int, int from) { s.send(1, 0, from); };
    s.mb[1].process = [&](int, int) { ++n; };
    hclib::finish([&] {
      s.start();
      s.send(0, 0, (me() + i) % n_pes());
      s.done(0);
    });
    CHECK(n == 1);
    if (i % 2 == 0) its.release(); /* as programs leak them */
  }
}

template <int Step>
struct stepping : hclib::Actor<int> {
  int sum = 0;
  stepping() {
    mb[0].process = [this](int one, int) { sum += Step * one; };
  }
};

// PEs have different classes of one type of packets.
void different_classes() {
  std::unique_ptr<hclib::Actor<int>> its;
  stepping<1>* one = nullptr;
  stepping<2>* two = nullptr;
  if (me() % 2 == 0) {
    its.reset(one = new stepping<1>);
  } else {
    its.reset(two = new stepping<2>);
  }
  hclib::finish([&] {
    its->start();
    for (int pe = 0; pe < n_pes(); ++pe) its->send(1, pe);
    its->done();
  });
  CHECK(one != nullptr ? one->sum == n_pes() : two->sum == 2 * n_pes());
}

// PEs come to different numbers of finishes.
void different_numbers_of_finishes() {
  hclib::Actor<int> its;
  int n = 0;
  its.mb[0].process = [&](int, int) { ++n; };
  hclib::finish([&] {
    its.start();
    for (int i = 0; i <= me(); ++i) {
      hclib::finish([&] { its.send(0, 0); });
    }
    if (me() % 2 == 0) {
      hclib::finish([&] { its.done(); }); /* waits for the end */
      CHECK(n == (me() == 0 ? n_pes() * (n_pes() + 1) / 2 : 0));
    } else {
      its.done();
    }
  });
  CHECK(n == (me() == 0 ? n_pes() * (n_pes() + 1) / 2 : 0));
}

// A handler of one mailbox ends another one, and another selector.
void handler_ends_another() {
  hclib::Selector<2, int> its;
  hclib::Actor<int> other;
  int n = 0;
  its.mb[0].process = [&](int, int) { its.done(1); };
  its.mb[1].process = [&](int, int) {
    ++n;
    other.done();
  };
  other.mb[0].process = [&](int, int) { n += 100; };
  its.mb[0].add_dep_mbs({});
  hclib::finish([&] {
    other.start();
    its.start();
    other.send(0, me());
    its.send(1, 0, me());
    its.send(0, 0, me());
    its.done(0);
  });
  CHECK(n == 101);
}

// --- Neighbours: selectors, conveyors and an exstack together.

void neighbours() {
  hclib::Actor<int64_t> first, second;
  int64_t handled[2] = {};
  first.mb[0].process = [&](int64_t value, int) {
    handled[0] += value;
    second.send(value, (me() + 1) % n_pes());
  };
  second.mb[0].process = [&](int64_t value, int) { handled[1] += value; };
  convey_t* conveyor = convey_new(SIZE_MAX, 0, NULL, convey_opt_PROGRESS);
  CHECK(convey_begin(conveyor, sizeof(int64_t), 0) == convey_OK);
  exstack_t* stack = exstack_init(16, sizeof(int64_t));
  int64_t n_pulled = 0, n_popped = 0;
  hclib::finish([&] {
    second.start();
    hclib::finish([&] {
      first.start();
      int64_t n_pushed = 0, value = 1;
      for (int64_t n = 0; convey_advance(conveyor, n_pushed == 500); ++n) {
        for (; n_pushed < 500 && convey_push(conveyor, &value, n_pushed % n_pes()) == convey_OK; ++n_pushed) continue;
        while (convey_pull(conveyor, &value, NULL) == convey_OK) ++n_pulled;
        first.send(1, static_cast<int>(n % n_pes()));
        if (n % 10 == 0) hclib::yield();
      }
      for (int64_t n = 0; exstack_proceed(stack, n == 100);) {
        for (; n < 100 && exstack_push(stack, &n, n % n_pes()) > 0; ++n) continue;
        exstack_exchange(stack);
        for (int64_t popped = 0; exstack_pop(stack, &popped, NULL);) ++n_popped;
        first.send(1, 0);
      }
      first.done();
    });
    second.done();
  });
  int64_t all[4] = {handled[0], handled[1], n_pulled, n_popped};
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sums, all, 4);
  CHECK(sums[0] == sums[1] && sums[2] == 500 * n_pes() && sums[3] == 100 * n_pes());
  convey_free(conveyor);
  exstack_clear(stack);
  free(stack);
  shmem_barrier_all();
}

// Tasks that handlers make belong to the finish of their mailbox, and may wait.
void tasks_of_handlers() {
  *sums = 0;
  shmem_barrier_all();
  hclib::Selector<2, int> its;
  int n_tasks = 0;
  its.mb[0].process = [&](int, int from) {
    hclib::async([&its, &n_tasks, from] {
      hclib::yield();
      ++n_tasks;
      its.send(1, 0, from);
    });
    hclib::yield(); /* does nothing here */
  };
  int n_answers = 0;
  its.mb[1].process = [&](int, int) { ++n_answers; };
  hclib::promise_t<int> is_answered;
  hclib::future_t<int>* const after = hclib::async_future_await([&] { return n_answers; }, is_answered.get_future());
  its.mb[0].add_dep_mbs({});
  hclib::finish([&] {
    its.start();
    for (int pe = 0; pe < n_pes(); ++pe) its.send(0, 0, pe);
    its.done_extended(0);
    while (n_answers < n_pes()) hclib::yield();
    is_answered.put(1);
    CHECK(after->wait() == n_pes());
    shmem_int64_atomic_inc(sums, 0);
    while (shmem_int64_atomic_fetch(sums, 0) != n_pes()) hclib::yield();
    its.done_extended(1);
  });
  CHECK(n_tasks == n_pes());
}

// --- Large packets

struct large {
  int64_t first;
  char text[248];
  int64_t last;
};
static_assert(sizeof(large) == 264, "as existing programs have");
struct larger_than_a_buffer {
  int64_t values[20000];
};

template <class T>
void packets_of(T one, int n, bool (*is_right)(const T&)) {
  hclib::Actor<T> its;
  int n_right = 0;
  its.mb[0].process = [&](T arrived, int) { n_right += is_right(arrived); };
  hclib::finish([&] {
    its.start();
    for (int i = 0; i < n; ++i) its.send(one, (me() + i) % n_pes());
    its.done();
  });
  int64_t all = n_right;
  shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sums, &all, 1);
  CHECK(*sums == static_cast<int64_t>(n) * n_pes());
}

void large_packets() {
  large one = {1, "text", 2};
  packets_of<large>(one, 5000, [](const large& p) { return p.first == 1 && p.text[3] == 't' && p.last == 2; });
  static larger_than_a_buffer other;
  for (int i = 0; i < 20000; ++i) other.values[i] = i * i;
  packets_of<larger_than_a_buffer>(other, 20, [](const larger_than_a_buffer& p) {
    return p.values[0] == 0 && p.values[777] == 777 * 777 && p.values[19999] == 19999 * 19999;
  });
}

// Packets of one PE to another, in each mailbox, keep their order.
void order(int64_t n) {
  hclib::Selector<2, int64_t> its;
  std::vector<int64_t> last[2];
  for (auto& each : last) each.assign(static_cast<size_t>(n_pes()), -1);
  for (int i = 0; i < 2; ++i) {
    its.mb[i].process = [&, i](int64_t value, int from) {
      CHECK(last[i][static_cast<size_t>(from)] == value - 1);
      last[i][static_cast<size_t>(from)] = value;
      if (i == 0) its.send(1, value, from);
    };
  }
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < n; ++i) {
      for (int pe = 0; pe < n_pes(); ++pe) its.send(0, i, pe);
    }
    its.done(0);
  });
  for (const int64_t each : last[1]) CHECK(each == n - 1);
}

}  // namespace

// With few buffers sends wait sooner, and run handlers. Then the argument is "tight".
int main(int argc, char*[]) {
  const bool is_tight = argc > 1;
  const char* deps[] = {"system", "bale_actor"};
  shmem_init(); /* some programs do */
  hclib::launch(deps, 2, [=] {
    sums = static_cast<int64_t*>(shmem_malloc(4 * sizeof(int64_t)));
    if (!is_tight) handlers_run_at_yield_points_only();
    senders_go_on_while_others_wait(is_tight ? 5000 : 300000);
    handlers_send_without_limit(is_tight ? 10 : 2000);
    one_after_the_other(is_tight ? 50 : 2000);
    different_classes();
    different_numbers_of_finishes();
    handler_ends_another();
    neighbours();
    tasks_of_handlers();
    large_packets();
    order(is_tight ? 100 : 20000);
    shmem_free(sums);
    PASSED();
  });
  shmem_finalize();
  return 0;
}
