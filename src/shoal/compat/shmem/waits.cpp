// Waits for words of this PE, and locks.
#include <atomic>
#include <cstdint>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/compat/internal/word_wait.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

#include "shoal/compat/include/shoal_compat/shmem_types.h"

namespace compat = shoal::internal::compat;
using shoal::internal::atomic_op;

namespace {

template <class T>
bool holds(T* ivar, int cmp, T value, const char* call) {
  const T now = std::atomic_ref<T>(*ivar).load(std::memory_order_acquire);
  switch (cmp) {
    case SHMEM_CMP_EQ: return now == value;
    case SHMEM_CMP_NE: return now != value;
    case SHMEM_CMP_GT: return now > value;
    case SHMEM_CMP_LE: return now <= value;
    case SHMEM_CMP_LT: return now < value;
    case SHMEM_CMP_GE: return now >= value;
  }
  shoal::internal::end_job(shoal::internal::status_usage, std::string(call) + " with the comparison " +
                                                              std::to_string(cmp) + "; give one of SHMEM_CMP_*");
}

bool is_left_out(const int* status, std::size_t i) { return status != nullptr && status[i] != 0; }

// A loop over tests must let the others go on, as a wait does.
void serve(const char* call) { compat::word_wait(call).pass_time(); }

template <class T>
bool test(T* ivar, int cmp, T value, const char* call) {
  if (holds(ivar, cmp, value, call)) return true;
  serve(call);
  return holds(ivar, cmp, value, call);
}

template <class T>
bool all_hold(T* ivars, std::size_t n, const int* status, int cmp, T value, const char* call) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_left_out(status, i) && !holds(ivars + i, cmp, value, call)) return false;
  }
  return true;
}

// SIZE_MAX: none holds, or all are left out.
template <class T>
std::size_t first_that_holds(T* ivars, std::size_t n, const int* status, int cmp, T value, const char* call) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_left_out(status, i) && holds(ivars + i, cmp, value, call)) return i;
  }
  return SIZE_MAX;
}

template <class T>
std::size_t list_those_that_hold(T* ivars, std::size_t n, std::size_t* indices, const int* status, int cmp, T value,
                                 const char* call) {
  std::size_t n_found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_left_out(status, i) && holds(ivars + i, cmp, value, call)) indices[n_found++] = i;
  }
  return n_found;
}

bool are_all_left_out(std::size_t n, const int* status) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_left_out(status, i)) return false;
  }
  return true;
}

template <class T>
std::size_t wait_for_any(T* ivars, std::size_t n, const int* status, int cmp, T value, const char* call) {
  if (are_all_left_out(n, status)) return SIZE_MAX;
  std::size_t found = SIZE_MAX;
  compat::wait_for(call, [&] { return (found = first_that_holds(ivars, n, status, cmp, value, call)) != SIZE_MAX; });
  return found;
}

template <class T>
std::size_t wait_for_some(T* ivars, std::size_t n, std::size_t* indices, const int* status, int cmp, T value,
                          const char* call) {
  if (are_all_left_out(n, status)) return 0;
  std::size_t n_found = 0;
  compat::wait_for(call,
                   [&] { return (n_found = list_those_that_hold(ivars, n, indices, status, cmp, value, call)) != 0; });
  return n_found;
}

// --- Locks: the copy of one PE holds the number after the owner's, or 0. Different locks live on different PEs.

struct lock_place {
  std::size_t offset;
  int pe;
};

lock_place place_of_lock(const long* lock, const char* call) {
  const std::size_t offset = compat::place_of(lock, sizeof *lock, 0, call);
  return {offset, static_cast<int>(offset / sizeof(long) % compat::here.n_pes)};
}

std::uint64_t owner_of_this_pe() { return static_cast<std::uint64_t>(compat::my_pe()) + 1; }

// Returns who had the lock; 0: nobody.
std::uint64_t change_owner(const lock_place& at, std::uint64_t from, std::uint64_t to) {
  return compat::here.memory->atomic({.op = atomic_op::compare_exchange, .operand = to, .expected = from}, at.offset,
                                     at.pe);
}

bool try_lock(const long* lock, const char* call) {
  if (change_owner(place_of_lock(lock, call), 0, owner_of_this_pe()) != 0) return false;
  std::atomic_thread_fence(std::memory_order_acquire);  // what the last owner has put
  return true;
}

}  // namespace

#define DEFINE_WAITS(A, NAME, T)                                                                                    \
  void shmem_##NAME##_wait_until(T* ivar, int cmp, T value) {                                                       \
    compat::wait_for("shmem_" #NAME "_wait_until",                                                                  \
                     [&] { return holds(ivar, cmp, value, "shmem_" #NAME "_wait_until"); });                        \
  }                                                                                                                 \
  int shmem_##NAME##_test(T* ivar, int cmp, T value) {                                                              \
    return test(ivar, cmp, value, "shmem_" #NAME "_test") ? 1 : 0;                                                  \
  }                                                                                                                 \
  void shmem_##NAME##_wait_until_all(T* ivars, size_t n, const int* status, int cmp, T value) {                     \
    compat::wait_for("shmem_" #NAME "_wait_until_all",                                                              \
                     [&] { return all_hold(ivars, n, status, cmp, value, "shmem_" #NAME "_wait_until_all"); });     \
  }                                                                                                                 \
  size_t shmem_##NAME##_wait_until_any(T* ivars, size_t n, const int* status, int cmp, T value) {                   \
    return wait_for_any(ivars, n, status, cmp, value, "shmem_" #NAME "_wait_until_any");                            \
  }                                                                                                                 \
  size_t shmem_##NAME##_wait_until_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) { \
    return wait_for_some(ivars, n, indices, status, cmp, value, "shmem_" #NAME "_wait_until_some");                 \
  }                                                                                                                 \
  int shmem_##NAME##_test_all(T* ivars, size_t n, const int* status, int cmp, T value) {                            \
    serve("shmem_" #NAME "_test_all");                                                                              \
    return all_hold(ivars, n, status, cmp, value, "shmem_" #NAME "_test_all") ? 1 : 0;                              \
  }                                                                                                                 \
  size_t shmem_##NAME##_test_any(T* ivars, size_t n, const int* status, int cmp, T value) {                         \
    serve("shmem_" #NAME "_test_any");                                                                              \
    return first_that_holds(ivars, n, status, cmp, value, "shmem_" #NAME "_test_any");                              \
  }                                                                                                                 \
  size_t shmem_##NAME##_test_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) {       \
    serve("shmem_" #NAME "_test_some");                                                                             \
    return list_those_that_hold(ivars, n, indices, status, cmp, value, "shmem_" #NAME "_test_some");                \
  }

#define DEFINE_OLD_WAIT(NAME, T)                                                                \
  void shmem_##NAME##_wait(T* ivar, T value) {                                                  \
    compat::wait_for("shmem_" #NAME "_wait",                                                    \
                     [&] { return holds(ivar, SHMEM_CMP_NE, value, "shmem_" #NAME "_wait"); }); \
  }

extern "C" {

SHOAL_SHMEM_AMO_(DEFINE_WAITS, 0)
SHOAL_SHMEM_AMO_NAMES_(DEFINE_WAITS, 0)
SHOAL_SHMEM_SHORT_(DEFINE_WAITS, 0)
DEFINE_OLD_WAIT(short, short)
DEFINE_OLD_WAIT(int, int)
DEFINE_OLD_WAIT(long, long)
DEFINE_OLD_WAIT(longlong, long long)

void shmem_wait(long* ivar, long value) { shmem_long_wait(ivar, value); }
void shmem_wait_until(long* ivar, int cmp, long value) { shmem_long_wait_until(ivar, cmp, value); }

int shmem_test_lock(long* lock) {
  if (try_lock(lock, "shmem_test_lock")) return 0;
  serve("shmem_test_lock");
  return 1;
}

void shmem_set_lock(long* lock) {
  compat::wait_for("shmem_set_lock", [&] { return try_lock(lock, "shmem_set_lock"); });
}

void shmem_clear_lock(long* lock) {
  const lock_place at = place_of_lock(lock, "shmem_clear_lock");
  compat::complete_calls("shmem_clear_lock");
  const std::uint64_t owner = change_owner(at, owner_of_this_pe(), 0);
  if (owner == owner_of_this_pe()) return;
  shoal::internal::end_job(
      shoal::internal::status_usage,
      "shmem_clear_lock of a lock that this PE does not have" +
          (owner == 0 ? std::string("; nobody has") : "; PE " + std::to_string(owner - 1) + " has it"));
}

}  // extern "C"
