// What programs assign to `process`: each form of a callable, with state, exchanged for another while packets come, or copied.
#include <array>
#include <functional>
#include <vector>

#include <selector.h>

#include "check.h"

namespace {

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }

const int64_t n = 10000;
int64_t n_called, sum; /* of this PE */
void note(int64_t value, int from) {
  CHECK(from >= 0 && from < n_pes());
  ++n_called;
  sum += value;
}
struct noting {
  int64_t factor;
  void operator()(int64_t value, int from) const { note(value * factor, from); }
};
struct of_member {
  void note_it(int64_t value, int from) { note(value, from); }
};

typedef hclib::Actor<int64_t> actor;
typedef decltype(actor().mb[0].process) handler;

// Every PE gets 0 to n - 1 from each PE. `prepare` assigns the handler.
template <typename F>
void exchange(const F& prepare) {
  actor its;
  n_called = sum = 0;
  prepare(its);
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < n; ++i) {
      for (int pe = 0; pe < n_pes(); ++pe) its.send(i, pe);
    }
    its.done();
  });
  CHECK(n_called == n * n_pes());
}
int64_t expected() { return n * (n - 1) / 2 * n_pes(); }

void each_form() {
  exchange([](actor& its) { its.mb[0].process = [](int64_t value, int from) { note(value, from); }; });
  CHECK(sum == expected());
  exchange([](actor& its) { its.mb[0].process = note; });
  CHECK(sum == expected());
  exchange([](actor& its) { its.mb[0].process = &note; });
  CHECK(sum == expected());
  const noting twice = {2};
  exchange([&](actor& its) { its.mb[0].process = twice; });
  CHECK(sum == 2 * expected());
  exchange([](actor& its) { its.mb[0].process = std::function<void(int64_t, int)>(noting{3}); });
  CHECK(sum == 3 * expected());
  std::function<void(int64_t, int)> other = note;
  exchange([&](actor& its) { its.mb[0].process = other; });
  CHECK(sum == expected());
  of_member object;
  using namespace std::placeholders;
  exchange([&](actor& its) { its.mb[0].process = std::bind(&of_member::note_it, &object, _1, _2); });
  CHECK(sum == expected());
  // Other parameters and results that a std::function allows.
  exchange([](actor& its) {
    its.mb[0].process = [](const int64_t& value, long from) {
      note(value, static_cast<int>(from));
      return value;
    };
  });
  CHECK(sum == expected());
  exchange([](actor& its) { its.mb[0].process = [](int64_t&& value, int&& from) { note(value++, from++); }; });
  CHECK(sum == expected());
  exchange(
      [](actor& its) { its.mb[0].process = [](double value, int from) { note(static_cast<int64_t>(value), from); }; });
  CHECK(sum == expected());
}

// A callable keeps what it has counted, also one that does not fit into a std::function.
void state() {
  int64_t last = -1;
  exchange([&](actor& its) {
    int64_t n_mine = 0;
    its.mb[0].process = [n_mine, &last](int64_t value, int from) mutable {
      note(value, from);
      last = n_mine++;
    };
  });
  CHECK(last == n * n_pes() - 1);
  std::vector<int64_t> none;
  std::array<int64_t, 20> many = {};
  exchange([&](actor& its) {
    its.mb[0].process = [none, many, &last](int64_t value, int from) mutable {
      note(value, from);
      none.push_back(value);
      many[static_cast<size_t>(value % 20)] += 1;
      last = many[7];
    };
  });
  CHECK(last == n / 20 * n_pes());
  CHECK(none.empty() && many[7] == 0);
}

// A handler that assigns another one: from the next packet on, that one is called.
void exchanged() {
  actor* here = NULL;
  exchange([&](actor& its) {
    here = &its;
    its.mb[0].process = [&here](int64_t value, int from) {
      note(value, from);
      if (n_called == 100) here->mb[0].process = noting{0};
    };
  });
  const int64_t after_lambda = sum;
  CHECK(after_lambda < expected() && after_lambda > 0);
  exchange([&](actor& its) {
    here = &its;
    its.mb[0].process = [&here](int64_t value, int from) {
      note(value, from);
      if (n_called == 100) here->mb[0].process = note;
    };
  });
  CHECK(sum == expected());
  // Between packets, another one of the same type, and then through a reference.
  actor its;
  n_called = sum = 0;
  std::function<void(int64_t, int)>& process = its.mb[0].process;
  CHECK(!its.mb[0].process);
  its.mb[0].process = noting{1};
  CHECK(its.mb[0].process);
  its.start();
  for (int64_t round = 1; round <= 4; ++round) {
    if (round == 2) its.mb[0].process = noting{10};
    if (round == 3) process = noting{100};
    if (round == 4) process = [](int64_t value, int from) { note(value * 1000, from); };
    shmem_barrier_all();
    its.send(1, (me() + 1) % n_pes());
    while (n_called < round) hclib::yield();
  }
  CHECK(sum == 1111);
  its.done();
  its.get_future()->wait();
}

// A handler that swaps itself for another one.
void swapped() {
  actor* here = NULL;
  handler other;
  int64_t n_first = 0;
  other = noting{0};
  exchange([&](actor& its) {
    here = &its;
    its.mb[0].process = [&here, &other, &n_first](int64_t value, int from) {
      note(value, from);
      if (++n_first == 100) here->mb[0].process.swap(other);
    };
  });
  CHECK(n_first == 100);
}

struct result {
  int value;
};
[[gnu::warn_unused_result]] result with_result(int64_t value, int from) {
  note(value, from);
  return {1};
}
struct packet {
  int64_t value;
  double other;
  static void* operator new(std::size_t) = delete; /* not in the way */
};

// What is assigned may be nothing, give a result, or take packets that are not made by new.
void odd_forms() {
  exchange([](actor& its) { its.mb[0].process = [](int64_t value, int from) { return with_result(value, from); }; });
  actor its;
  handler empty;
  for (int i = 0; i < 5; ++i) {
    its.mb[0].process = note;
    CHECK(its.mb[0].process);
    if (i == 0) its.mb[0].process = NULL;
    if (i == 1) its.mb[0].process = 0;
    if (i == 2) its.mb[0].process = nullptr;
    if (i == 3) its.mb[0].process = {};
    if (i == 4) its.mb[0].process = empty;
    CHECK(!its.mb[0].process);
  }
  its.mb[0].process = noting{1};
  for (int i = 0; i < 100000; ++i) { /* copies do not wrap one another */
    empty = its.mb[0].process;
    its.mb[0].process = empty;
  }
  CHECK(its.mb[0].process.target<noting>() != NULL);
  hclib::Actor<packet> large;
  large.mb[0].process = [](packet p, int from) { note(p.value, from); };
  n_called = 0;
  hclib::finish([&] {
    large.start();
    for (int i = 0; i < 100; ++i) large.send({i, 0.5}, me());
    large.done();
  });
  CHECK(n_called == 100);
}

// Handlers are values: copied from one mailbox to another, exchanged, and called by hand.
void copied() {
  hclib::Selector<2, int64_t> its;
  n_called = sum = 0;
  its.mb[0].process = noting{1};
  its.mb[1].process = noting{10};
  std::swap(its.mb[0].process, its.mb[1].process);
  hclib::finish([&] {
    its.start();
    its.send(0, 1, me());
    its.send(1, 1, me());
    its.done(0);
  });
  CHECK(sum == 11);
  its.mb[0].process(2, me());
  CHECK(sum == 31);
  its.mb[1].process = its.mb[0].process;
  its.mb[1].process(1, me());
  CHECK(sum == 41);
  its.mb[1].process.swap(its.mb[0].process);
  its.mb[1].process = nullptr;
  CHECK(!its.mb[1].process && its.mb[0].process);
}

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [] {
    each_form();
    state();
    exchanged();
    swapped();
    odd_forms();
    copied();
    PASSED();
  });
  return 0;
}
