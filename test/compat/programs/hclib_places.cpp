// HClib's worker and locale, memory and copies, atomics, times and tools; and its names beside those of std.
#include <cstring>
#include <vector>

#include "hclib_atomic.h"
#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

extern hclib::locale_t* nic;
extern int nic_locale_id;

namespace {

void test_places() {
  CHECK(hclib_get_current_worker() == 0 && hclib::get_current_worker() == 0);
  CHECK(hclib_get_num_workers() == 1 && hclib::get_num_workers() == 1);
  CHECK(hclib_get_num_locales() == 1 && hclib::get_num_locales() == 1);
  hclib::locale_t* const here = hclib::get_all_locales();
  CHECK(here != nullptr && here->id == 0 && here->lbl != nullptr && here[0].lbl[0] != 0);
  CHECK(hclib_get_all_locales() == here && hclib::get_closest_locale() == here && hclib_get_closest_locale() == here);
  CHECK(hclib::get_master_place() == here && hclib_get_master_place() == here);
  CHECK(hclib::get_thread_private_locales()[0] == here && hclib_get_thread_private_locales()[0] == here);
  int n = -1;
  CHECK(hclib::get_all_locales_of_type(static_cast<int>(here->type), &n)[0] == here && n == 1);
  CHECK(hclib_get_all_locales_of_type(77, &n) == nullptr && n == 0);
  CHECK(nic == here && hclib::nic == here && nic_locale_id == here->id && hclib::nic_locale_id == 0);
  hclib::async_at([] {}, nic);
}

void test_memory() {
  hclib_locale_t* const here = hclib::get_closest_locale();
  char* const a = static_cast<char*>(hclib::allocate_at(100, here)->wait());
  CHECK(hclib::memset_at(a, 'x', 100, here)->wait() == a && a[0] == 'x' && a[99] == 'x');
  char* const b = static_cast<char*>(hclib::reallocate_at(a, 200, here)->wait());
  CHECK(b[0] == 'x' && b[99] == 'x');
  char c[200] = "";
  CHECK(hclib::async_copy(here, c, here, b, 100)->wait() == c);
  CHECK(std::memcmp(b, c, 100) == 0);
  hclib::promise_t<void> gate;
  hclib::future_t<void*>* const one = hclib::async_copy_await(here, c, here, c + 1, 1, gate.get_future());
  hclib::future_t<void*>* const all =
      hclib::async_copy_await_all(here, c + 100, here, c, 100, {one, gate.get_future(), nullptr});
  c[1] = 'y';
  hclib::yield();
  CHECK(c[0] == 'x' && !all->test());
  gate.put();
  all->wait();
  CHECK(one->test() && c[0] == 'y' && c[100] == 'y' && c[101] == 'y' && c[102] == 'x' && c[199] == 'x');
  hclib::free_at(b, here);
  hclib_future_t* const made = hclib_allocate_at(8, here);
  void* d = hclib_future_wait(made);
  d = hclib_future_wait(hclib_memset_at(hclib_future_wait(hclib_reallocate_at(d, 16, nullptr)), 1, 16, nullptr));
  char e[16];
  CHECK(hclib_future_wait(hclib_async_copy(here, e, here, d, 16, nullptr, 0)) == e && e[15] == 1);
  hclib_free_at(d, here);
}

void test_atomics() {
  hclib::atomic_t<int> any(3);
  hclib::atomic_sum_t<long> sum(10);
  hclib::atomic_max_t<double> most(-1.5);
  hclib::atomic_or_t<unsigned> bits(1u);
  hclib::loop_domain_1d domain(1, 101, 9);
  hclib::finish([&] {
    hclib::forasync1D(&domain, [&](int i) {
      any.update([i](int old) { return old + i; });
      sum += i;
      most.update(i * 0.5);
      bits |= 2u << i % 5;
    });
  });
  CHECK(any.gather([](int a, int b) { return a + b; }) == 5053);
  CHECK(sum.get() == 5060 && most.get() == 50 && bits.get() == 63);
  most.update([](double old) { return old + 1; });
  CHECK(most.get() == 51);
}

unsigned n_idle = 0;
unsigned n_last = 0;
hclib::promise_t<int>* awaited = nullptr;
void idle(unsigned worker, unsigned n) {
  CHECK(worker == 0);
  n_last = n;
  if (++n_idle == 5) awaited->put(1);
}

void test_tools() {
  const unsigned long long ns = hclib_current_time_ns();
  const unsigned long long ms = hclib_current_time_ms();
  CHECK(ms >= ns / 1000000 && ms <= hclib_current_time_ns() / 1000000);
  while (hclib_current_time_ns() < ns + 2000000) hclib::yield();
  CHECK(hclib_current_time_ms() >= ms + 1);
  hclib::promise_t<int> promise;
  awaited = &promise;
  hclib_set_idle_callback(idle);
  hclib::async([] {});
  promise.get_future()->wait();
  CHECK(n_idle == 5 && n_last > 0);
  // On the stack of a task, too.
  hclib::promise_t<int> other;
  awaited = &other;
  n_idle = 0;
  hclib::finish([&] { hclib::async([&] { other.get_future()->wait(); }); });
  CHECK(n_idle == 5);
  hclib_set_idle_callback(nullptr);
  int* const none[] = {NO_ARG, NO_DATUM, NO_FUTURE, NO_ACCUM, ANY_PLACE};
  for (int* const each : none) CHECK(each == nullptr);
  CHECK(NO_PROP == 0);
  HASSERT(n_idle == 5);
}

}  // namespace

// Programs say both.
using namespace std;
using namespace hclib;

int main() {
  hclib::launch(nullptr, 0, [] {
    test_places();
    test_memory();
    test_atomics();
    test_tools();
    future_t<int>* const value = async_future([] { return 3; });
    yield();
    CHECK(value->get() == 3 && nic != nullptr && get_num_workers() == 1);
    finish([] { async_await([] {}, static_cast<hclib_future_t*>(nullptr)); });
  });
  PASSED();
  return 0;
}
