// Launch, tasks and finishes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "shoal/base/internal/environment.hpp"
#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/task_scheduler.hpp"

namespace compat = shoal::internal::compat;
using compat::tasks;

namespace {

int n_workers_asked_for = 0;  // by the next launch; 0: by the environment

// Says once that there is one worker, if more were asked for.
void tell_workers() {
  static bool is_told = false;
  std::int64_t n = std::exchange(n_workers_asked_for, 0);
  if (n == 0) n = shoal::internal::environment_number("HCLIB_WORKERS");
  if (n <= 1 || std::exchange(is_told, true) || compat::my_pe() != 0) return;
  std::fprintf(stderr, "shoal: %lld workers of HClib were asked for; tasks run on one worker per PE\n",
               static_cast<long long>(n));
}

// What async_future makes a task of, in C.
struct future_task {
  void* (*body)(void*);
  void* argument;
  hclib_promise_t* promise;
};

void run_future_task(void* what) {
  const std::unique_ptr<future_task> its(static_cast<future_task*>(what));
  hclib_promise_put(its->promise, its->body(its->argument));
}

}  // namespace

extern "C" {

void hclib_launch(void (*body)(void*), void* argument, const char**, int) {
  compat::enter();
  tell_workers();
  // Programs that draw numbers without a seed draw the same ones in each launch.
  std::srand(0);
  if (tasks().is_in_launch()) {
    tasks().start_finish("hclib::launch");
    body(argument);
    tasks().end_finish("hclib::launch");
  } else {
    tasks().run_root(body, argument);
  }
  compat::leave();
}

void shoal_hclib_ask_for_workers(int n_workers) { n_workers_asked_for = n_workers; }

void shoal_hclib_async(void (*body)(void*), void* argument, hclib_future_t* const* futures, int n_futures,
                       const char* call) {
  tasks().spawn(body, argument, futures, static_cast<std::size_t>(n_futures), call);
}

void hclib_async(void (*body)(void*), void* argument, hclib_future_t** futures, int n_futures, hclib_locale_t*) {
  shoal_hclib_async(body, argument, futures, n_futures, "hclib_async");
}

void hclib_async_nb(void (*body)(void*), void* argument, hclib_future_t** futures, int n_futures, hclib_locale_t*) {
  shoal_hclib_async(body, argument, futures, n_futures, "hclib_async_nb");
}

hclib_future_t* hclib_async_future(void* (*body)(void*), void* argument, hclib_future_t** futures, int n_futures,
                                   hclib_locale_t*) {
  hclib_promise_t* const promise = shoal_hclib_lasting_promise();
  shoal_hclib_async(run_future_task, new future_task{body, argument, promise}, futures, n_futures,
                    "hclib_async_future");
  return &promise->future;
}

void hclib_get_curr_task_info(void (**body)(void*), void** argument) {
  const compat::pending_task* const now = tasks().task_now();
  *body = now == nullptr ? nullptr : now->run;
  *argument = now == nullptr ? nullptr : now->argument;
}

void hclib_yield(hclib_locale_t*) { tasks().yield(); }

void hclib_start_finish(void) { tasks().start_finish("hclib_start_finish"); }
void hclib_end_finish(void) { tasks().end_finish("hclib_end_finish"); }

hclib_future_t* hclib_end_finish_nonblocking(void) {
  hclib_promise_t* const promise = shoal_hclib_lasting_promise();
  tasks().end_finish_with(*promise, "hclib_end_finish_nonblocking");
  return &promise->future;
}

void hclib_end_finish_nonblocking_helper(hclib_promise_t* promise) {
  tasks().end_finish_with(*promise, "hclib_end_finish_nonblocking_helper");
}

}  // extern "C"
