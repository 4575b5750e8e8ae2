/* Tasks of HClib on Shoal, for C++11 and later. hclib.h says what holds for all calls. */
#ifndef SHOAL_HCLIB_CPP_H
#define SHOAL_HCLIB_CPP_H

#ifdef __cplusplus
extern "C++" {
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>
}
#endif

#include "hclib.h"

#ifdef __cplusplus
extern "C" {
int shmem_my_pe(void);
int shmem_n_pes(void);
}

extern "C++" {

#include "shoal_compat/hclib_promise.h"

namespace hclib {

typedef hclib_locale_t locale_t;
using ::shmem_my_pe;
using ::shmem_n_pes;

namespace shoal_parts {

template <class F>
void run_once(void* closure) {
  const std::unique_ptr<F> its(static_cast<F*>(closure));
  (*its)();
}

template <class F>
void run_in_place(void* closure) {
  (*static_cast<F*>(closure))();
}

template <class L>
void spawn(L&& lambda, hclib_future_t* const* futures, std::size_t n, const char* call) {
  using closure = typename std::decay<L>::type;
  shoal_hclib_async(&run_once<closure>, new closure(std::forward<L>(lambda)), futures, static_cast<int>(n), call);
}

/* What lambda() returns, as the value of a future. */
template <class F, class R>
struct putting {
  F lambda;
  promise_t<R>* promise;
  void operator()() { promise->put(lambda()); }
};
template <class F>
struct putting<F, void> {
  F lambda;
  promise_t<void>* promise;
  void operator()() {
    lambda();
    promise->put();
  }
};

template <class L>
struct result_of {
  typedef typename std::decay<L>::type closure;
  typedef decltype(std::declval<closure&>()()) type;
};

template <class L>
future_t<typename result_of<L>::type>* spawn_future(L&& lambda, hclib_future_t* const* futures, std::size_t n,
                                                    const char* call) {
  typedef typename result_of<L>::type result;
  typedef putting<typename std::decay<L>::type, result> closure;
  promise_t<result>* const promise = static_cast<promise_t<result>*>(shoal_hclib_lasting_promise());
  shoal_hclib_async(&run_once<closure>, new closure{std::forward<L>(lambda), promise}, futures, static_cast<int>(n),
                    call);
  return promise->get_future();
}

}  // namespace shoal_parts

/* --- Launch */

/* Collective. Runs a copy of `lambda` as hclib_launch does. */
template <class L>
void launch(const char** deps, int ndeps, L&& lambda) {
  using closure = typename std::decay<L>::type;
  closure copy(std::forward<L>(lambda));
  hclib_launch(&shoal_parts::run_in_place<closure>, &copy, deps, ndeps);
}
template <class L>
void launch(int nworkers, const char** deps, int ndeps, L&& lambda) {
  shoal_hclib_ask_for_workers(nworkers);
  launch(deps, ndeps, std::forward<L>(lambda));
}

/* --- Finishes */

namespace shoal_parts {

/* The finish ends where `make_tasks` throws, too. */
template <class F>
future_t<void>* finish_without_wait(F&& make_tasks) {
  struct open_finish {
    hclib_future_t* end;
    open_finish() : end(nullptr) { hclib_start_finish(); }
    ~open_finish() {
      if (end == nullptr) hclib_end_finish_nonblocking();
    }
  } its;
  make_tasks();
  its.end = hclib_end_finish_nonblocking();
  return static_cast<future_t<void>*>(its.end);
}

template <class F>
void run_in_finish(F& body) {
  struct open_finish {
    open_finish() { hclib_start_finish(); }
    ~open_finish() { hclib_end_finish(); }
  } const until_all_have_ended;
  static_cast<void>(body());
}

}  // namespace shoal_parts

inline void finish(std::function<void()>&& lambda) { shoal_parts::run_in_finish(lambda); }
/* The same without a std::function, through which the compiler does not see: what the body's loops use stays in
   registers. */
template <class L, class F = typename std::decay<L>::type,
          class = typename std::enable_if<std::is_class<F>::value &&
                                          !std::is_same<F, std::function<void()>>::value>::type>
void finish(L&& lambda) {
  F body(std::forward<L>(lambda));
  shoal_parts::run_in_finish(body);
}

inline future_t<void>* nonblocking_finish(std::function<void()>&& lambda) {
  return shoal_parts::finish_without_wait(lambda);
}

/* If other tasks can run, at least one does. In a handler it does nothing. */
inline void yield() { hclib_yield(nullptr); }
inline void yield_at(hclib_locale_t* where) { hclib_yield(where); }

/* --- Places. Each PE has one worker and one locale. */

inline int get_current_worker() { return hclib_get_current_worker(); }
inline int get_num_workers() { return hclib_get_num_workers(); }
inline int get_num_locales() { return hclib_get_num_locales(); }
inline hclib_locale_t* get_all_locales() { return hclib_get_all_locales(); }
inline hclib_locale_t* get_closest_locale() { return hclib_get_closest_locale(); }
inline hclib_locale_t* get_master_place() { return hclib_get_master_place(); }
inline hclib_locale_t** get_thread_private_locales() { return hclib_get_thread_private_locales(); }
inline hclib_locale_t** get_all_locales_of_type(int type, int* n) { return hclib_get_all_locales_of_type(type, n); }

/* --- Memory */

inline future_t<void*>* allocate_at(std::size_t bytes, hclib_locale_t* where) {
  return static_cast<future_t<void*>*>(hclib_allocate_at(bytes, where));
}
inline future_t<void*>* reallocate_at(void* old, std::size_t bytes, hclib_locale_t* where) {
  return static_cast<future_t<void*>*>(hclib_reallocate_at(old, bytes, where));
}
inline void free_at(void* memory, hclib_locale_t* where) { hclib_free_at(memory, where); }
inline future_t<void*>* memset_at(void* memory, int value, std::size_t bytes, hclib_locale_t* where) {
  return static_cast<future_t<void*>*>(hclib_memset_at(memory, value, bytes, where));
}
inline future_t<void*>* async_copy(hclib_locale_t* to, void* dest, hclib_locale_t* from, void* source,
                                   std::size_t bytes) {
  return static_cast<future_t<void*>*>(hclib_async_copy(to, dest, from, source, bytes, nullptr, 0));
}
inline future_t<void*>* async_copy_await(hclib_locale_t* to, void* dest, hclib_locale_t* from, void* source,
                                         std::size_t bytes, hclib_future_t* future) {
  return static_cast<future_t<void*>*>(hclib_async_copy(to, dest, from, source, bytes, &future, 1));
}
inline future_t<void*>* async_copy_await_all(hclib_locale_t* to, void* dest, hclib_locale_t* from, void* source,
                                             std::size_t bytes, std::vector<hclib_future_t*> futures) {
  return static_cast<future_t<void*>*>(
      hclib_async_copy(to, dest, from, source, bytes, futures.data(), static_cast<int>(futures.size())));
}

}  // namespace hclib

#include "shoal_compat/hclib_async.h"
#include "shoal_compat/hclib_loops.h"

/* What programs of HClib-Actor name as the place of communication. */
extern hclib::locale_t* nic;
extern int nic_locale_id;
namespace hclib {
using ::nic;
using ::nic_locale_id;
}  // namespace hclib

}  // extern "C++"
#endif

#endif
