// What programs of HClib may not do; the argument chooses one. Each ends the job with one line.
#include <cstring>
#include <stdexcept>

#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

namespace {

int deep(int n) {
  volatile char used[10000];
  used[n % 10000] = 1;
  return n == 0 ? 0 : deep(n - 1) + used[n % 10000];
}

// With frames of many pages, of which each touches few.
int deep_in_large_frames(int n) {
  volatile char used[200000];
  used[n] = 1;
  return n == 0 ? 0 : deep_in_large_frames(n - 1) + used[n];
}

bool is(const char* how, const char* wanted) { return std::strcmp(how, wanted) == 0; }

void misuse(const char* how) {
  hclib::promise_t<int> promise;
  hclib_loop_domain_t domains[4] = {{0, 1, 1, 1}, {0, 1, 1, 1}, {0, 1, 1, 1}, {0, 1, 1, 1}};
  hclib::loop_domain_1d domain(0, 10, 1, 0);
  if (is(how, "get")) promise.get_future()->get();
  if (is(how, "get of C")) hclib_future_get(promise.get_future());
  if (is(how, "put twice")) promise.put(1), promise.put(2);
  if (is(how, "wait")) promise.get_future()->wait();
  if (is(how, "wait in a task")) {
    hclib::finish([&] { hclib::async([&] { promise.get_future()->wait(); }); });
  }
  if (is(how, "overflow") || is(how, "deep")) {
    hclib::finish([] { hclib::async([] { CHECK(deep(200) == 200); }); });
  }
  if (is(how, "overflow by large frames")) {
    hclib::finish([] { hclib::async([] { CHECK(deep_in_large_frames(2000) == 2000); }); });
  }
  if (is(how, "end")) hclib_end_finish();
  if (is(how, "end of another")) {
    hclib::finish([] { hclib::async([] { hclib_end_finish(); }); });
  }
  if (is(how, "end without a wait")) hclib_end_finish_nonblocking();
  if (is(how, "start")) {
    hclib::async([] { hclib_start_finish(); });
  }
  if (is(how, "throw")) throw std::runtime_error("of the\nbody");
  if (is(how, "throw a number")) throw 5;
  if (is(how, "throw in a task")) {
    hclib::finish([] { hclib::async([] { throw std::runtime_error("of a task"); }); });
  }
  if (is(how, "dimensions")) hclib_forasync(nullptr, nullptr, 4, domains, FORASYNC_MODE_FLAT);
  if (is(how, "mode")) hclib_forasync(nullptr, nullptr, 1, domains, 2);
  if (is(how, "stride")) hclib::forasync1D(&domain, [](int) {});
  if (is(how, "dist")) {
    hclib::loop_domain_1d good(5);
    hclib::forasync1D(&good, [](int) {}, false, FORASYNC_MODE_FLAT, nullptr, 3);
  }
  if (is(how, "closed")) {
    shmem_finalize();
    promise.get_future()->wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  hclib::promise_t<int> promise;
  if (is(how, "async outside")) hclib::async([] {});
  if (is(how, "finish outside")) hclib::finish([] {});
  if (is(how, "wait outside")) promise.get_future()->wait();
  hclib::launch(nullptr, 0, [how] {
    shmem_barrier_all();
    if (shmem_my_pe() == shmem_n_pes() - 1) misuse(how);
    if (!is(how, "closed")) shmem_barrier_all();
  });
  return 0;
}
