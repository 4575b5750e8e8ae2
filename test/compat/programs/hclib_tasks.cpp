// Tasks of HClib: launch, finishes, promises and futures, tasks after futures, yields, exceptions.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

// Programs derive classes there, and call OpenSHMEM from them.
namespace hclib {
int value_of_next(int* value) { return shmem_int_g(value, (shmem_my_pe() + 1) % ::shmem_n_pes()); }
}  // namespace hclib

namespace {

int fib(int n) {
  if (n < 2) return n;
  hclib::future_t<int>* const a = hclib::async_future([=] { return fib(n - 1); });
  hclib::future_t<int>* const b = hclib::async_future([=] { return fib(n - 2); });
  return a->wait() + b->wait();
}

void test_finishes() {
  int n = 0;
  hclib::finish([&] {
    hclib::async([&] {
      for (int i = 0; i < 10; ++i) hclib::async([&] { hclib::async([&] { ++n; }); });
      hclib::finish([&] {
        hclib::async([&] { n += 100; });
        hclib::async_nb([&] { n += 100; });
      });
      CHECK(n >= 200);
    });
  });
  CHECK(n == 210);
  hclib::finish([] {});

  // It waits for nobody else.
  hclib::promise_t<void> gate;
  bool has_run = false;
  hclib::finish([&] {
    hclib::async_await([&] { has_run = true; }, gate.get_future());
    hclib::finish([&] { hclib::async([&] { ++n; }); });
    CHECK(n == 211 && !has_run);
    hclib_start_finish();
    hclib::async([&] { ++n; });
    hclib_end_finish();
    CHECK(n == 212 && !has_run);
    gate.put();
    CHECK(!has_run);  // put does not wait
  });
  CHECK(has_run);
}

void test_finishes_without_waits() {
  hclib::promise_t<void> gate;
  int n = 0;
  hclib::finish([&] {
    hclib::future_t<void>* const end = hclib::nonblocking_finish([&] {
      hclib::async_await([&] { ++n; }, gate.get_future());
      hclib::async([&] { ++n; });
    });
    CHECK(n == 0 && !end->test());
    hclib::async_await([&] { n += 10; }, end);
    for (int i = 0; i < 3; ++i) hclib::yield();
    CHECK(n == 1 && !end->test());
    gate.put();
    end->wait();
    CHECK(n == 2 || n == 12);
  });
  CHECK(n == 12);
  CHECK(hclib::nonblocking_finish([] {})->test());
  hclib_start_finish();
  hclib::async([&] { ++n; });
  hclib_future_t* const end = hclib_end_finish_nonblocking();
  hclib_future_wait(end);
  CHECK(n == 13);
  hclib_promise_t mine;
  hclib_promise_init(&mine);
  hclib_start_finish();
  hclib::async([&] { ++n; });
  hclib_end_finish_nonblocking_helper(&mine);
  CHECK(hclib_future_is_satisfied(&mine.future) == 0);
  hclib_future_wait(hclib_get_future_for_promise(&mine));
  CHECK(n == 14);
  // The finish around waits for it.
  hclib::finish([&] { hclib::nonblocking_finish([&] { hclib::async([&] { hclib::async([&] { ++n; }); }); }); });
  CHECK(n == 15);
}

enum class colour : std::uint8_t { red, green };
struct pair {
  std::int16_t a, b;
};
struct number {
  explicit number(int n) : value(n) {}
  bool operator==(const number& other) const { return value == other.value; }
  int value;
};

template <class T>
T through_promise(T value) {
  hclib::promise_t<T> promise;
  CHECK(!promise.get_future()->test() && promise.get_future() == &promise.future());
  hclib::async([&promise, value] { promise.put(value); });
  const T waited_for = promise.get_future()->wait();
  CHECK(promise.future().test() && promise.get_future()->get() == waited_for);
  return waited_for;
}

void test_promises() {
  CHECK(through_promise(-7) == -7);
  CHECK(through_promise(std::int64_t{1} << 60) == std::int64_t{1} << 60);
  CHECK(through_promise(2.5) == 2.5 && through_promise(0.5f) == 0.5f && through_promise(true));
  CHECK(through_promise(colour::green) == colour::green && through_promise(number(6)).value == 6);
  int variable = 1;
  const char* const text = "text";
  CHECK(through_promise(&variable) == &variable && through_promise(text) == text);
  hclib::promise_t<pair> pairs;
  pairs.put({-1, 2});
  CHECK(pairs.get_future()->get().a == -1 && pairs.get_future()->wait().b == 2);
  hclib::promise_t<int&> reference;
  hclib::async([&] { reference.put(variable); });
  reference.get_future()->wait() = 5;
  CHECK(variable == 5 && &reference.get_future()->get() == &variable);
  hclib::promise_t<void> nothing;
  hclib::async([&] { nothing.put(); });
  nothing.get_future()->wait();
  nothing.get_future()->get();

  // As HClib's C functions see them.
  hclib::promise_t<int*> as_c;
  hclib_promise_put(&as_c, &variable);
  CHECK(hclib_future_get(as_c.get_future()) == &variable && as_c.future().get() == &variable);

  // Those who wait for one go on in the order in which they began to.
  hclib::promise_t<int> one;
  std::string order;
  hclib::finish([&] {
    for (char c = 'a'; c < 'f'; ++c) {
      hclib::async([&order, &one, c] {
        CHECK(one.get_future()->wait() == 4);
        order += c;
      });
    }
    hclib::async([&] { one.put(4); });
  });
  CHECK(order == "abcde");
}

void test_tasks_after_futures() {
  hclib::promise_t<int> p[4];
  hclib::future_t<int>* f[4];
  for (int i = 0; i < 4; ++i) f[i] = p[i].get_future();
  int n_put = 0;
  std::string order;
  // What each task needs at least.
  const auto after = [&](int n, char name) {
    return [&order, &n_put, n, name] {
      CHECK(n_put >= n);
      order += name;
    };
  };
  hclib_locale_t* const here = hclib::get_closest_locale();
  hclib::finish([&] {
    hclib::async_await(after(4, 'd'), f[0], f[1], f[2], f[3]);
    hclib::async_await(after(2, 'b'), f[1], f[0]);
    hclib::async_await(after(1, 'a'), f[0]);
    std::vector<hclib_future_t*> three = {f[2], f[0], f[1]};
    hclib::async_await(after(3, 'c'), three);
    hclib::async_await(after(3, 'c'), std::vector<hclib_future_t*>(three));
    hclib::async_await(after(0, '0'), std::vector<hclib_future_t*>());
    hclib::async_await(after(0, '0'), static_cast<hclib_future_t*>(nullptr));
    hclib::async_await(after(1, 'a'), nullptr, f[0]);
    hclib::async_await_at(after(4, 'd'), f[0], f[1], f[2], f[3], here);
    hclib::async_await_at(after(2, 'b'), f[0], f[1], here);
    hclib::async_await_at(after(1, 'a'), f[0], here);
    hclib::async_await_at(after(3, 'c'), three, here);
    hclib::async_nb_await(after(4, 'd'), f[0], f[1], f[2], f[3]);
    hclib::async_nb_await(after(2, 'b'), f[0], f[1]);
    hclib::async_nb_await(after(1, 'a'), f[0]);
    hclib::async_nb_await(after(3, 'c'), three);
    hclib::async_nb_await_at(after(4, 'd'), f[0], f[1], f[2], f[3], here);
    hclib::async_nb_await_at(after(2, 'b'), f[0], f[1], here);
    hclib::async_nb_await_at(after(1, 'a'), f[0], here);
    hclib::async_nb_await_at(after(3, 'c'), three, nullptr);
    for (int i = 0; i < 4; ++i) {
      hclib::yield();
      n_put = i + 1;
      p[i].put(i);
    }
  });
  CHECK(order == "00aaaaabbbbcccccdddd");

  hclib::promise_t<int> gate;
  std::vector<hclib_future_t*> gates = {gate.get_future()};
  hclib::future_t<int>* const first =
      hclib::async_future_await([&] { return gate.get_future()->get() + 1; }, gate.get_future());
  hclib::future_t<int>* const second = hclib::async_future_await([&] { return first->wait() + 1; }, gates);
  hclib::future_t<int*>* const third =
      hclib::async_future_await([&] { return &n_put; }, std::vector<hclib_future_t*>{second});
  hclib::future_t<void>* const fourth = hclib::async_future_await_at([&] { ++n_put; }, third, here);
  CHECK(!fourth->test());
  gate.put(10);
  fourth->wait();
  CHECK(first->get() == 11 && second->get() == 12 && third->get() == &n_put && n_put == 5);
  hclib::future_t<int&>* const variable = hclib::async_future([&]() -> int& { return n_put; });
  CHECK(&variable->wait() == &n_put);
  CHECK(hclib::async_future_at([] { return 1; }, here)->wait() +
            hclib::async_nb_future_at([] { return 2; }, here)->wait() +
            hclib::async_nb_future([] { return 3; })->wait() +
            hclib::async_nb_future_await([] { return 4; }, gates)->wait() +
            hclib::async_nb_future_await_at([] { return 5; }, gate.get_future(), here)->wait() +
            hclib::async_future_await_at([] { return 6; }, gates, here)->wait() ==
        21);
  hclib::finish([&] {
    hclib::async_at([&] { ++n_put; }, here);
    hclib::async_nb_at([&] { ++n_put; }, nullptr);
  });
  CHECK(n_put == 7);
}

void test_yields() {
  // Two tasks take turns.
  std::string order;
  hclib::finish([&] {
    for (char c = 'a'; c < 'c'; ++c) {
      hclib::async([&order, c] {
        for (int i = 0; i < 3; ++i) {
          order += c;
          i == 1 ? hclib::yield_at(hclib::get_closest_locale()) : hclib::yield();
        }
      });
    }
  });
  CHECK(order == "ababab");
  bool has_run = false;
  hclib::async([&] { has_run = true; });
  hclib::yield();
  CHECK(has_run);
  // Tasks made after a yield are the finish's, too.
  has_run = false;
  hclib::finish([&] {
    hclib::async([] {});
    hclib::yield();
    hclib::async([&] { has_run = true; });
  });
  CHECK(has_run);
  // Others run, however long one asks for what only they do.
  bool is_set = false;
  hclib::finish([&] {
    hclib::async([&] {
      while (!is_set) hclib::yield();
    });
    hclib::async([&] { hclib::async([&] { is_set = true; }); });
  });
  for (int i = 0; i < 1000; ++i) hclib::yield();
  // A word that another PE puts.
  long* const word = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  hclib::finish([&] {
    hclib::async([&] {
      while (shmem_long_g(word, shmem_my_pe()) == 0) hclib::yield();
    });
    hclib::async([&] { shmem_long_p(word, 1, next); });
  });
  CHECK(*word == 1);
  shmem_free(word);
}

struct throws_when_copied {
  throws_when_copied() {}
  throws_when_copied(const throws_when_copied&) { throw 6; }
  void operator()(int) const {}
};

void test_exceptions() {
  // Each task has its own.
  hclib::promise_t<int> gate;
  std::string order;
  hclib::finish([&] {
    hclib::async([&] {
      try {
        throw std::runtime_error("one");
      } catch (const std::exception& e) {
        gate.get_future()->wait();
        order += e.what();
        try {
          throw;
        } catch (const std::runtime_error&) {
          order += "!";
        }
      }
    });
    hclib::async([&] {
      try {
        throw std::logic_error("two");
      } catch (const std::exception& e) {
        gate.put(1);
        hclib::yield();
        order += e.what();
      }
    });
  });
  CHECK(order == "one!two");
  // One that leaves a finish waits for its tasks.
  bool has_run = false;
  try {
    hclib::finish([&] {
      hclib::async([&] { has_run = true; });
      throw 5;
    });
    CHECK(false);
  } catch (int number) {
    CHECK(number == 5 && has_run);
  }
  // One that leaves a finish without a wait does not wait, and closes it.
  has_run = false;
  try {
    hclib::nonblocking_finish([&] {
      hclib::async([&] { has_run = true; });
      throw 5;
    });
    CHECK(false);
  } catch (int number) {
    CHECK(number == 5 && !has_run);
  }
  hclib::finish([] {});
  CHECK(!has_run);  // no finish is open in which it was made
  while (!has_run) hclib::yield();
  // A loop's body whose copy throws.
  hclib::loop_domain_1d domain(4);
  try {
    const throws_when_copied body;
    hclib::forasync1D_future(&domain, body);
    CHECK(false);
  } catch (int number) {
    CHECK(number == 6);
  }
}

struct counted {
  static int n;
  counted() { ++n; }
  counted(const counted&) { ++n; }
  ~counted() { --n; }
};
int counted::n = 0;

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor", "unknown"};
  int n_launches = 0;
  std::vector<int> copied = {1, 2, 3};
  for (int i = 0; i < 2; ++i) {
    counted object;
    hclib::launch(deps, 3, [=, &n_launches]() mutable {
      (void)object;
      copied.push_back(4);
      const int drawn = rand();
      srand(0);
      CHECK(drawn == rand());
      int* const value = static_cast<int*>(shmem_malloc(sizeof(int)));
      *value = shmem_my_pe();
      shmem_barrier_all();
      CHECK(hclib::value_of_next(value) == (hclib::shmem_my_pe() + 1) % hclib::shmem_n_pes());
      shmem_free(value);
      test_finishes();
      test_finishes_without_waits();
      test_promises();
      test_tasks_after_futures();
      test_yields();
      test_exceptions();
      CHECK(fib(15) == 610);
      hclib::finish([object] { hclib::async([object] {}); });
      // The launch waits for these.
      hclib::async([&] { hclib::async([&] { ++n_launches; }); });
      hclib::launch(deps, 1, [&] { hclib::async([&] { n_launches += 10; }); });
      CHECK(n_launches % 100 >= 10);
      n_launches += 89;
    });
    CHECK(n_launches == 100 * (i + 1) && copied.size() == 3);
  }
  CHECK(counted::n == 0);
  hclib::launch(1, deps, 1, [&] { ++n_launches; });
  CHECK(n_launches == 201);
  PASSED();
  return 0;
}
