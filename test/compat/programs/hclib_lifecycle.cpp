// The orders in which programs of HClib begin and end. The argument chooses one.
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

namespace {

bool is(const char* how, const char* wanted) { return std::strcmp(how, wanted) == 0; }

// What programs do in a launch.
void work() {
  long* const sum = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  hclib::finish([sum] {
    for (int i = 0; i < 10; ++i) {
      hclib::async([sum, i] {
        shmem_long_atomic_add(sum, i, 0);
        hclib::yield();
        shmem_long_atomic_add(sum, i, 0);
      });
    }
  });
  shmem_barrier_all();
  if (shmem_my_pe() == 0) CHECK(*sum == 90L * shmem_n_pes());
  shmem_free(sum);
}

void say_passed() {
  if (shmem_my_pe() == 0) std::cout << "passed\n";
}

}  // namespace

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  const char* deps[] = {"system", "bale_actor"};
  if (is(how, "init before") || is(how, "init before, finalize after")) {
    shmem_init();
    CHECK(shmem_n_pes() >= 1);
    shmem_barrier_all();
  }
  if (is(how, "init twice")) {
    int provided;
    shmem_init();
    shmem_init_thread(SHMEM_THREAD_SINGLE, &provided);
  }
  int me = -1;
  hclib::launch(deps, 2, [&] {
    me = shmem_my_pe();
    work();
    if (is(how, "init inside")) {
      shmem_init();
      work();
    }
    if (is(how, "exit 0")) {
      say_passed();
      std::exit(0);
    }
    if (is(how, "exit 0 in a task")) {
      hclib::finish([] {
        hclib::async([] {
          hclib::yield();
          say_passed();
          std::exit(0);
        });
      });
    }
    if (is(how, "one exits 3 in a task")) {
      hclib::async([] {
        if (shmem_my_pe() == shmem_n_pes() - 1) std::exit(3);
      });
    }
    if (is(how, "all exit 4")) std::exit(4);
    if (is(how, "finalize inside") || is(how, "finalize inside and after")) {
      shmem_finalize();
      // Tasks run all the same.
      bool has_run = false;
      hclib::finish([&] { hclib::async([&] { has_run = true; }); });
      CHECK(has_run);
      hclib::yield();
    }
    if (is(how, "global exit")) {
      shmem_barrier_all();
      if (shmem_my_pe() == 0) shmem_global_exit(5);
      for (;;) hclib::yield();
    }
  });
  CHECK(shmem_my_pe() == me && me < shmem_n_pes());
  if (is(how, "two launches")) hclib::launch(deps, 2, work);
  if (is(how, "five launches")) {
    for (int i = 0; i < 4; ++i) hclib::launch(1, deps, 2, [] { work(); });
  }
  if (is(how, "shmem after")) {
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
  }
  if (is(how, "init before, finalize after") || is(how, "finalize inside and after") || is(how, "finalize after"))
    shmem_finalize();
  say_passed();
  if (is(how, "return 6")) return 6;
  if (is(how, "one returns 7") && me == 0) return 7;
  return 0;
}
