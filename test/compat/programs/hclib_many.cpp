// Many tasks: those that do not wait need one stack, those of a recursion few, those that wait need little memory, and
// stacks are used again.
#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <vector>

#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

namespace {

long n_stacks() {
  char text[200] = "";
  FILE* const file = tmpfile();
  CHECK(file != nullptr);
  hclib_print_runtime_stats(file);
  rewind(file);
  CHECK(fgets(text, sizeof text, file) != nullptr);
  fclose(file);
  int pe = -1;
  long n_tasks = 0;
  long n = 0;
  CHECK(sscanf(text, "PE %d: %ld tasks of HClib have run, on %ld stacks", &pe, &n_tasks, &n) == 3);
  CHECK(pe == shmem_my_pe());
  return n;
}

long kibibytes() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

void chain(int n) {
  std::vector<hclib::promise_t<int>> links(static_cast<std::size_t>(n) + 1);
  hclib::finish([&] {
    for (int i = 0; i < n; ++i) {
      hclib::async([&, i] {
        const auto at = static_cast<std::size_t>(i);
        links[at + 1].put(links[at].get_future()->wait() + 1);
      });
    }
    hclib::async([&] { links[0].put(0); });
  });
  CHECK(links.back().future().get() == n);
}

// Fork-join recursion, by futures and by finishes.
int fib(int n) {
  if (n < 2) return n;
  hclib::future_t<int>* const a = hclib::async_future([=] { return fib(n - 1); });
  hclib::future_t<int>* const b = hclib::async_future([=] { return fib(n - 2); });
  return b->wait() + a->wait();
}
void fib_by_finishes(int n, int* result) {
  if (n < 2) {
    *result = n;
    return;
  }
  int a = 0;
  int b = 0;
  hclib::finish([&, n] {
    hclib::async([&, n] { fib_by_finishes(n - 1, &a); });
    hclib::async([&, n] { fib_by_finishes(n - 2, &b); });
  });
  *result = a + b;
}

// Deep, and with much on the stack.
int deep(int n) {
  volatile char used[10000];
  used[n] = 1;
  if (n == 0) return 0;
  return deep(n - 1) + used[n];
}

}  // namespace

int main() {
  hclib::launch(nullptr, 0, [] {
    long n = 0;
    hclib::finish([&] {
      for (int i = 0; i < 100000; ++i) hclib::async([&] { ++n; });
    });
    CHECK(n == 100000 && n_stacks() == 1);
    // Each makes the next one.
    std::function<void()> next = [&] {
      if (--n != 0) hclib::async(next);
    };
    hclib::finish([&] { hclib::async(next); });
    CHECK(n == 0 && n_stacks() == 1);

    CHECK(fib(25) == 75025);
    int result = 0;
    fib_by_finishes(25, &result);
    CHECK(result == 75025 && n_stacks() < 100);
    // While another task asks for the end by yields.
    bool has_ended = false;
    long n_turns = 0;
    hclib::finish([&] {
      hclib::async([&] {
        while (!has_ended) {
          ++n_turns;
          hclib::yield();
        }
      });
      fib_by_finishes(25, &result);
      has_ended = true;
    });
    CHECK(result == 75025 && n_turns > 50);
    hclib::finish([] {
      hclib::async([] { CHECK(deep(80) == 80); });  // of 1 MiB
    });
    CHECK(deep(700) == 700);  // the body has the stack of the process

    const long before = kibibytes();
    chain(10000);
    const long used = kibibytes() - before;
    if (used > 10000L * 40) fprintf(stderr, "10,000 tasks that wait took %ld KiB\n", used);
    CHECK(used <= 10000L * 40);
    const long n_used = n_stacks();
    CHECK(n_used > 10000 && n_used < 10010);
    for (int i = 0; i < 20; ++i) chain(1000);
    CHECK(n_stacks() == n_used);
    chain(10000);

    // Tasks that take turns for a while.
    n = 0;
    hclib::finish([&] {
      for (int i = 0; i < 1000; ++i) {
        hclib::async([&] {
          for (int j = 0; j < 50; ++j) {
            ++n;
            hclib::yield();
          }
        });
      }
    });
    CHECK(n == 50000);
  });
  PASSED();
  return 0;
}
