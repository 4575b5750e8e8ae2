// Promises and futures.
#include "shoal/compat/internal/promises.hpp"

#include <cstddef>
#include <deque>

#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/task_scheduler.hpp"

namespace shoal::internal::compat {

void add_waiter(hclib_promise_t& promise, waiter& its) noexcept {
  its.next = static_cast<waiter*>(promise.waiting);
  promise.waiting = &its;
}

void put(hclib_promise_t& promise, void* datum, const char* call) {
  if (is_put(promise)) refuse_call(call, "of a promise that has been put before");
  promise.datum = datum;
  promise.satisfied = 1;
  waiter* first = nullptr;
  for (auto* each = static_cast<waiter*>(promise.waiting); each != nullptr;) {
    waiter* const before = each->next;
    each->next = first;
    first = each;
    each = before;
  }
  promise.waiting = nullptr;
  while (first != nullptr) {
    waiter* const next = first->next;
    first->wake();
    first = next;
  }
}

}  // namespace shoal::internal::compat

namespace compat = shoal::internal::compat;

extern "C" {

void hclib_promise_init(hclib_promise_t* promise) {
  promise->future.owner = promise;
  promise->datum = nullptr;
  promise->waiting = nullptr;
  promise->satisfied = 0;
}

hclib_promise_t* hclib_promise_create(void) {
  auto* const made = new hclib_promise_t;
  hclib_promise_init(made);
  return made;
}

void hclib_promise_free(hclib_promise_t* promise) { delete promise; }

hclib_promise_t** hclib_promise_create_n(size_t n, int null_terminated) {
  auto** const made = new hclib_promise_t* [n + (null_terminated != 0 ? 1 : 0)] {};
  for (std::size_t i = 0; i < n; ++i) made[i] = hclib_promise_create();
  return made;
}

void hclib_promise_free_n(hclib_promise_t** promises, size_t n, int) {
  for (std::size_t i = 0; i < n; ++i) hclib_promise_free(promises[i]);
  delete[] promises;
}

hclib_future_t* hclib_get_future_for_promise(hclib_promise_t* promise) { return &promise->future; }

void hclib_promise_put(hclib_promise_t* promise, void* datum) { compat::put(*promise, datum, "hclib_promise_put"); }

int hclib_future_is_satisfied(hclib_future_t* future) { return future->owner->satisfied; }

void* hclib_future_get(hclib_future_t* future) {
  if (future->owner->satisfied == 0) shoal_hclib_refuse_get("hclib_future_get");
  return future->owner->datum;
}

void* hclib_future_wait(hclib_future_t* future) {
  shoal_hclib_wait(future->owner, "hclib_future_wait");
  return future->owner->datum;
}

void shoal_hclib_refuse_get(const char* call) {
  compat::refuse_call(call, "of a future that is not satisfied; wait for it first");
}

void shoal_hclib_wait(hclib_promise_t* promise, const char* call) {
  compat::tasks().wait(
      call, [promise] { return compat::is_put(*promise); },
      [promise](compat::waiter& who) { compat::add_waiter(*promise, who); });
}

// Nobody says when a future that async_future returned is no longer used. So its promise lasts.
hclib_promise_t* shoal_hclib_lasting_promise(void) {
  static std::deque<hclib_promise_t>& all = *new std::deque<hclib_promise_t>;
  hclib_promise_init(&all.emplace_back());
  return &all.back();
}

}  // extern "C"
