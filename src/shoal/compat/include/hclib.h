/* Tasks of HClib on Shoal, for C; in C++ hclib_cpp.h comes with it. Each PE has one worker and one locale.

   A task runs on the PE's own thread, until it ends or waits: at the end of a finish, for a future, or in hclib_yield.
   There, and nowhere else, other tasks run, and handlers of selectors. Handlers may make tasks and put promises; they
   may not wait. All calls are local, except hclib_launch. */
#ifndef SHOAL_HCLIB_H
#define SHOAL_HCLIB_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HCLIB_DEFAULT_LOOP_DIST 0
#define FORASYNC_MODE_FLAT 0
#define FORASYNC_MODE_RECURSIVE 1

#define NO_PROP 0
#define NO_ARG NULL
#define NO_DATUM NULL
#define NO_FUTURE NULL
#define NO_ACCUM NULL
#define ANY_PLACE NULL
#define HASSERT(condition) assert(condition)

/* --- Promises: put once, then their future is satisfied. */

struct hclib_promise_t;
typedef struct hclib_future_t {
  struct hclib_promise_t* owner;
} hclib_future_t;
typedef struct hclib_promise_t {
  hclib_future_t future;
  void* datum;
  void* waiting; /* the library's: who waits, the last one first */
  int satisfied;
} hclib_promise_t;

hclib_promise_t* hclib_promise_create(void);
void hclib_promise_init(hclib_promise_t* promise);
void hclib_promise_free(hclib_promise_t* promise);
/* `null_terminated`: the array has a null after its n promises. */
hclib_promise_t** hclib_promise_create_n(size_t n, int null_terminated);
void hclib_promise_free_n(hclib_promise_t** promises, size_t n, int null_terminated);
hclib_future_t* hclib_get_future_for_promise(hclib_promise_t* promise);
void hclib_promise_put(hclib_promise_t* promise, void* datum);
void* hclib_future_get(hclib_future_t* future); /* of a satisfied future */
void* hclib_future_wait(hclib_future_t* future);
int hclib_future_is_satisfied(hclib_future_t* future);

/* --- Places. Each PE has one locale; null stands for it, too. */

typedef struct hclib_locale_t {
  int id;
  unsigned type;
  const char* lbl;
} hclib_locale_t;

int hclib_get_current_worker(void);
int hclib_get_num_workers(void);
int hclib_get_num_locales(void);
hclib_locale_t* hclib_get_all_locales(void);
hclib_locale_t* hclib_get_closest_locale(void);
hclib_locale_t* hclib_get_master_place(void);
hclib_locale_t** hclib_get_thread_private_locales(void);
hclib_locale_t** hclib_get_all_locales_of_type(int type, int* n); /* null if there is none */

/* --- Tasks */

/* Collective. Opens the job, or joins it; runs body(argument) on the stack of the caller, as a task of a finish around
   it; waits for all its tasks; and leaves the job. Names of modules are ignored. */
void hclib_launch(void (*body)(void*), void* argument, const char** deps, int n_deps);

/* A task of the innermost open finish, which begins after the futures. A null future is as if satisfied. */
void hclib_async(void (*body)(void*), void* argument, hclib_future_t** futures, int n_futures, hclib_locale_t* where);
void hclib_async_nb(void (*body)(void*), void* argument, hclib_future_t** futures, int n_futures,
                    hclib_locale_t* where);
/* The promise of the future is never freed: 32 bytes until the process ends. The same holds for all calls that make
   tasks, or end a finish, and return a future. A program of very many has to own its promises, and let tasks put. */
hclib_future_t* hclib_async_future(void* (*body)(void*), void* argument, hclib_future_t** futures, int n_futures,
                                   hclib_locale_t* where);
/* What the task that runs was made of. Null in the body of launch. */
void hclib_get_curr_task_info(void (**body)(void*), void** argument);

/* If other tasks can run, at least one does. In a handler it does nothing. */
void hclib_yield(hclib_locale_t* where);

/* The end waits for tasks made in between, and by those, and for mailboxes started in between. Calls nest. */
void hclib_start_finish(void);
void hclib_end_finish(void);
/* The same without the wait: the future is satisfied when all that has ended. */
hclib_future_t* hclib_end_finish_nonblocking(void);
void hclib_end_finish_nonblocking_helper(hclib_promise_t* promise);

/* --- Loops: from low to high - 1, in steps of stride, `tile` iterations in a task; less than 1: all in one. */

typedef struct hclib_loop_domain_t {
  int low, high, stride, tile;
} hclib_loop_domain_t;
typedef void (*forasync1D_Fct_t)(void* argument, int i);
typedef void (*forasync2D_Fct_t)(void* argument, int i, int j);
typedef void (*forasync3D_Fct_t)(void* argument, int i, int j, int k);

/* `body` is one of these, for `dim` domains. The caller's finish waits for the tasks. */
void hclib_forasync(void* body, void* argument, int dim, hclib_loop_domain_t* domain, int mode);
hclib_future_t* hclib_forasync_future(void* body, void* argument, int dim, hclib_loop_domain_t* domain, int mode);

/* Where a tile is to run, which is asked for loops of FORASYNC_MODE_FLAT. Registering returns its number as `dist`. */
typedef hclib_locale_t* (*loop_dist_func)(int dim, const hclib_loop_domain_t* tile, const hclib_loop_domain_t* whole,
                                          int mode);
unsigned hclib_register_dist_func(loop_dist_func function);

/* --- Memory of a locale, by tasks. Futures of the address that the memory has. */

hclib_future_t* hclib_allocate_at(size_t bytes, hclib_locale_t* where);
hclib_future_t* hclib_reallocate_at(void* old, size_t bytes, hclib_locale_t* where);
void hclib_free_at(void* memory, hclib_locale_t* where);
hclib_future_t* hclib_memset_at(void* memory, int value, size_t bytes, hclib_locale_t* where);
hclib_future_t* hclib_async_copy(hclib_locale_t* to, void* dest, hclib_locale_t* from, void* source, size_t bytes,
                                 hclib_future_t** futures, int n_futures);

/* --- Times and tools */

unsigned long long hclib_current_time_ns(void);
unsigned long long hclib_current_time_ms(void);
/* Called while the worker has nothing to do: its number, and how many times in a row. */
void hclib_set_idle_callback(void (*callback)(unsigned worker, unsigned n_times));
void hclib_print_runtime_stats(FILE* to);

/* --- What hclib_cpp.h calls */

void shoal_hclib_ask_for_workers(int n_workers);
void shoal_hclib_async(void (*body)(void*), void* argument, hclib_future_t* const* futures, int n_futures,
                       const char* call);
void shoal_hclib_wait(hclib_promise_t* promise, const char* call);
void shoal_hclib_refuse_get(const char* call);
hclib_promise_t* shoal_hclib_lasting_promise(void);
/* A loop of C++: run_tile for each tile, then release. `in_one`: one tile, at once if `after` is satisfied. */
void shoal_hclib_forasync(const hclib_loop_domain_t* domain, int dim, int mode, unsigned dist, int in_one,
                          hclib_future_t* after, void (*run_tile)(void* body, const hclib_loop_domain_t* tile),
                          void* body, void (*release)(void* body));

#ifdef __cplusplus
}
#include "hclib_cpp.h"
#endif

#endif
