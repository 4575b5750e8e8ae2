/* Part of selector.h and selector-mb.h: what their programs take for included, and macros. */
#ifndef SHOAL_SELECTOR_PARTS_H
#define SHOAL_SELECTOR_PARTS_H

#ifndef USE_SHMEM
#error "selectors are over OpenSHMEM: compile with -DUSE_SHMEM=1"
#endif

extern "C++" {
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <list>
#include <queue>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
}

#include <pthread.h>

#include "../convey.h"
#include "../hclib_cpp.h"
#include "../shmem.h"
#include "mailbox.h"

#define DONE_MARK -1
#define BUFFER_SIZE 1024
#ifndef ELASTIC_BUFFER_SIZE
#define ELASTIC_BUFFER_SIZE 128
#endif

extern "C++" {
namespace hclib {

/* What macros of the program ask for. */
enum {
  shoal_traces_asked_for = 0
#if defined(ENABLE_TRACE) || defined(ENABLE_TRACE_PAPI) || defined(ENABLE_TRACE_PHYSICAL)
                           | shoal_trace_sends
#endif
#ifdef ENABLE_TRACE_PAPI
                           | shoal_trace_counters
#endif
#ifdef ENABLE_TRACE_PHYSICAL
                           | shoal_trace_buffers
#endif
#ifdef ENABLE_TCOMM_PROFILING
                           | shoal_trace_times
#endif
};

/* From now on traces would go to another file. */
inline void new_file_for_selector_trace(const char* name) { shoal_tell_of_traces(shoal_trace_sends, name); }

} /* namespace hclib */
} /* extern "C++" */

#endif
