// Macros that ask for traces and times (ENABLE_TRACE, ENABLE_TRACE_PAPI, ENABLE_TRACE_PHYSICAL, ENABLE_TCOMM_PROFILING; with
// -DTHIRD, selectors of the third generation): the program runs as without them, with one line about each.
#ifdef THIRD
#include <selector-mb.h>
#else
#include <selector.h>
#endif

#include "check.h"

namespace {

int64_t n_handled = 0;

#ifdef THIRD
typedef hclib::Selector<64, int64_t> counting;
#else
typedef hclib::Selector<1, int64_t> counting;
#endif

void handle(int64_t, int) { ++n_handled; }

void round() {
  counting its;
#ifdef THIRD
  its.mailbox<0>().process = handle;
#else
  its.mb[0].process = handle;
#endif
  hclib::finish([&] {
    its.start();
    for (int pe = 0; pe < shmem_n_pes(); ++pe) {
#ifdef THIRD
      its.send<0>(pe, pe);
#else
      its.send(0, pe, pe);
#endif
    }
#ifdef THIRD
    its.done<0>();
#else
    its.done(0);
#endif
  });
#ifdef ENABLE_TCOMM_PROFILING
  char prefix[] = "round";
  its.print_profiling(prefix);
  its.print_profiling();
#endif
}

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [] {
    round();
#ifdef ENABLE_TRACE
    char name[] = "second";
    hclib::new_file_for_selector_trace(name);
#endif
    round();
    CHECK(n_handled == 2 * shmem_n_pes());
    PASSED();
  });
  return 0;
}
