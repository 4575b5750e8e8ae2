/* Conveyors of bale 3.0 (Maley and DeVinney, "Conveyors for streaming many-to-many communication", 2019) on Shoal's, and in C++
   the calls of the two generations before. docs/coming-from-conveyors-and-hclib.md says what differs.

   Results of int: above 0 success, 0 ordinary failure, below 0 an error, whose text convey_error_string has. An error is printed once
   a conveyor, unless it is QUIET, and never ends the job. */
#ifndef SHOAL_CONVEY_H
#define SHOAL_CONVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "convey_alc8r.h"
#include "convey_codec.h"

/* Pushes and pulls are inlined; their functions are in the library all the same. */
#if !defined(SHOAL_CONVEY_NO_INLINE) && (defined(__cplusplus) || defined(__GNUC_STDC_INLINE__))
#define SHOAL_CONVEY_IS_INLINE
#define SHOAL_CONVEY_INLINE inline
#else
#define SHOAL_CONVEY_INLINE
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum convey_status { convey_DONE = 0, convey_FAIL = 0, convey_OK = 1, convey_NEAR = 2 };
enum convey_feature { convey_ELASTIC = 1, convey_STEADY = 2, convey_THRIFTY = 4 };
enum convey_statistic {
  convey_BEGINS = 0,
  convey_PUSHES,
  convey_PULLS,
  convey_UNPULLS,
  convey_ADVANCES,
  convey_COMMS,
  convey_SYNCS,
  convey_BYTES,
  convey_CUMULATIVE = 8
};
enum convey_option {
  convey_opt_RECKLESS = 0x01,
  convey_opt_DYNAMIC = 0x02,
  convey_opt_QUIET = 0x04,
  convey_opt_SCATTER = 0x08,
  convey_opt_PROGRESS = 0x10,
  convey_opt_ALERT = 0x20,
  convey_opt_COMPRESS = 0x40
};
enum convey_expert_option { convey_opt_STANDARD = 0x100000, convey_opt_BLOCKING = 0x200000 };
#define CONVEY_MAX_ALIGN UINT64_C(64)

typedef struct conveyor convey_t;
typedef struct mpp_alltoall convey_mpp_a2a_t;
typedef struct convey_item {
  size_t bytes;
  void* data;
  int64_t from;
} convey_item_t;

extern const char convey_version[];

/* --- Construction. Collective. NULL if it fails, with a message of PE 0 unless QUIET. Limits of memory and sizes of buffers are
   hints that Shoal does not need: its own settings decide. `order`: the hops of a route. */

convey_t* convey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc, uint64_t options);
convey_t* convey_new_elastic(size_t item_bound, size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                             uint64_t options);
convey_t* convey_new_simple(size_t capacity, const convey_alc8r_t* alloc, const convey_mpp_a2a_t* a2a, uint64_t options);
#if defined(__GNUC__)
__attribute__((deprecated))
#endif
convey_t* convey_new_twohop(size_t capacity, size_t row_procs, const convey_alc8r_t* alloc, uint64_t options);
convey_t* convey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers, const convey_alc8r_t* alloc,
                            uint64_t options);
convey_t* convey_new_etensor(size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local, size_t n_buffers,
                             const convey_alc8r_t* alloc, uint64_t options);

/* --- A session: begin, a loop of advance, push and pull, then reset. begin, reset and free are collective, but wait for nobody. */

int convey_begin(convey_t* c, size_t item_bytes, size_t align);
SHOAL_CONVEY_INLINE int convey_push(convey_t* c, const void* item, int64_t pe);
SHOAL_CONVEY_INLINE int convey_pull(convey_t* c, void* item, int64_t* from); /* from may be NULL */
int convey_unpull(convey_t* c);
int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe);
int convey_epull(convey_t* c, convey_item_t* result);
void* convey_apull(convey_t* c, int64_t* from); /* readable until the next pull or unpull that succeeds */
int convey_advance(convey_t* c, bool done);
int convey_reset(convey_t* c);
int convey_free(convey_t* c);

/* --- Local queries, and codecs. */

int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* arg); /* FAIL: Shoal's own codecs serve */
size_t convey_item_size(convey_t* c);
uint64_t convey_features(convey_t* c);
int64_t convey_statistic(convey_t* c, int which);
const char* convey_error_string(convey_t* c, int error);

/* What convey_push and convey_pull do where they are not inlined, and where the inlined part does not suffice. */
int shoal_convey_push(convey_t* c, const void* item, int64_t pe);
int shoal_convey_pull(convey_t* c, void* item, int64_t* from);

/* For the calls of bale 1, whose constructors give the size of items. */
convey_t* shoal_convey_with_item(convey_t* c, size_t item_bytes);
int shoal_convey_begin_default(convey_t* c);

#if defined(SHOAL_CONVEY_IS_INLINE)
#include "shoal_compat/convey_inline.h"
#endif
#undef SHOAL_CONVEY_INLINE
#undef SHOAL_CONVEY_IS_INLINE

#ifdef __cplusplus
} /* extern "C" */

extern "C++" {

/* bale 2 */
inline int convey_begin(convey_t* c, size_t item_bytes) { return convey_begin(c, item_bytes, 0); }
inline convey_t* convey_new_elastic(size_t, size_t item_bound, size_t max_bytes, size_t n_local,
                                    const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_elastic(item_bound, max_bytes, n_local, alloc, options);
}
inline convey_t* convey_new_etensor(size_t, size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local,
                                    size_t n_buffers, const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_etensor(buffer_bytes, monster_bytes, order, n_local, n_buffers, alloc, options);
}

/* bale 1 */
inline convey_t* convey_new(size_t item_bytes, size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                            uint64_t options) {
  return shoal_convey_with_item(convey_new(max_bytes, n_local, alloc, options), item_bytes);
}
inline int convey_begin(convey_t* c) { return shoal_convey_begin_default(c); }

} /* extern "C++" */
#endif

#endif
