// The locale and the worker, memory, times and tools.
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/task_scheduler.hpp"

namespace compat = shoal::internal::compat;

namespace {

hclib_locale_t locale{0, 0, "sysmem"};
hclib_locale_t* private_locales[] = {&locale};

// A call that a task makes once futures are satisfied.
template <class F>
hclib_future_t* after(hclib_future_t** futures, int n, const char* call, F f) {
  struct made {
    F function;
    hclib_promise_t* promise;
  };
  hclib_promise_t* const promise = shoal_hclib_lasting_promise();
  constexpr auto run = [](void* what) {
    const std::unique_ptr<made> its(static_cast<made*>(what));
    hclib_promise_put(its->promise, its->function());
  };
  shoal_hclib_async(run, new made{std::move(f), promise}, futures, n, call);
  return &promise->future;
}

unsigned long long now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

[[gnu::weak]] hclib_locale_t* nic = &locale;
[[gnu::weak]] int nic_locale_id = 0;

extern "C" {

int hclib_get_current_worker(void) { return 0; }
int hclib_get_num_workers(void) { return 1; }
int hclib_get_num_locales(void) { return 1; }
hclib_locale_t* hclib_get_all_locales(void) { return &locale; }
hclib_locale_t* hclib_get_closest_locale(void) { return &locale; }
hclib_locale_t* hclib_get_master_place(void) { return &locale; }
hclib_locale_t** hclib_get_thread_private_locales(void) { return private_locales; }
hclib_locale_t** hclib_get_all_locales_of_type(int type, int* n) {
  const bool is_its = type == static_cast<int>(locale.type);
  *n = is_its ? 1 : 0;
  return is_its ? private_locales : nullptr;
}

hclib_future_t* hclib_allocate_at(size_t bytes, hclib_locale_t*) {
  return after(nullptr, 0, "hclib::allocate_at", [bytes] { return std::malloc(bytes); });
}
hclib_future_t* hclib_reallocate_at(void* old, size_t bytes, hclib_locale_t*) {
  return after(nullptr, 0, "hclib::reallocate_at", [old, bytes] { return std::realloc(old, bytes); });
}
void hclib_free_at(void* memory, hclib_locale_t*) { std::free(memory); }
hclib_future_t* hclib_memset_at(void* memory, int value, size_t bytes, hclib_locale_t*) {
  return after(nullptr, 0, "hclib::memset_at", [=] { return std::memset(memory, value, bytes); });
}
hclib_future_t* hclib_async_copy(hclib_locale_t*, void* dest, hclib_locale_t*, void* source, size_t bytes,
                                 hclib_future_t** futures, int n_futures) {
  return after(futures, n_futures, "hclib::async_copy", [=] { return std::memcpy(dest, source, bytes); });
}

unsigned long long hclib_current_time_ns(void) { return now_ns(); }
unsigned long long hclib_current_time_ms(void) { return now_ns() / 1'000'000; }

void hclib_set_idle_callback(void (*callback)(unsigned worker, unsigned n_times)) {
  compat::tasks().idle_callback = callback;
}

void hclib_print_runtime_stats(FILE* to) {
  const compat::task_scheduler& its = compat::tasks();
  std::fprintf(to, "PE %d: %llu tasks of HClib have run, on %zu stacks besides the process's, with %llu switches\n",
               static_cast<int>(compat::my_pe()), static_cast<unsigned long long>(its.n_tasks()), its.n_stacks_most(),
               static_cast<unsigned long long>(its.n_switches()));
}

}  // extern "C"
