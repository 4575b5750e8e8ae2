/// Promises of HClib, for whoever waits for them.
#pragma once

#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/waiter.hpp"

namespace shoal::internal::compat {

inline bool is_put(const hclib_promise_t& promise) noexcept { return promise.satisfied != 0; }

/// Wakes `its` when the promise is put, which it is not now.
void add_waiter(hclib_promise_t& promise, waiter& its) noexcept;

/// Wakes who waits, the first one first. `call` is for reports: a promise is put once.
void put(hclib_promise_t& promise, void* datum, const char* call);

}  // namespace shoal::internal::compat
