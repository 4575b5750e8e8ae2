// Preloaded where MPICH over UCX runs with more processes than cores. Its blocking calls spin, so a process that waits
// takes the core from the one that it waits for; here it gives the core away whenever there is no progress. Shoal's own
// waiting does not need this.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
  using function = unsigned (*)(void*);
  // The library came with a module, so it is not among the next ones in the program's own order.
  static void* const library = dlopen("libucp.so.0", RTLD_NOW | RTLD_NOLOAD);
  static const auto progress = reinterpret_cast<function>(dlsym(library, "ucp_worker_progress"));
  const unsigned n_events = progress(worker);
  if (n_events == 0) sched_yield();
  return n_events;
}
