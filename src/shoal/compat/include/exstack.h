/* exstack and exstack2 of bale 3.0 on Shoal: exchange of items of one size, bulk-synchronous and asynchronous. Objects come from
   malloc; after a clear the program frees them. */
#ifndef SHOAL_EXSTACK_H
#define SHOAL_EXSTACK_H

#include "libgetput.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- exstack. A round: pushes, an exchange in which all PEs take part, pops. */

typedef struct exstack_buffer_t {
  int64_t count;
#ifdef __cplusplus
  char data[1]; /* C++ knows no array without an end */
#else
  char data[];
#endif
} exstack_buffer_t;
typedef struct exstack_t exstack_t;

exstack_t* exstack_init(int64_t buf_cnt, size_t pkg_size); /* Collective. NULL if buf_cnt is 0 or memory lacks */
int64_t exstack_proceed(exstack_t* e, int im_done); /* Collective. 0 once all PEs are done, which stays so until reset */
int64_t exstack_push(exstack_t* e, void* item, int64_t pe); /* The room there was; 0: full, not stored */
void exstack_exchange(exstack_t* e); /* Collective. What the last one brought and nobody popped is gone */
int64_t exstack_pop(exstack_t* e, void* item, int64_t* from); /* By rising source. 0: nothing is left */
void* exstack_pull(exstack_t* e, int64_t* from); /* The same in place, readable until the next exchange */
void exstack_unpop(exstack_t* e);
void exstack_unpull(exstack_t* e);
int64_t exstack_pop_thread(exstack_t* e, void* item, int64_t pe); /* From one source */
void exstack_unpop_thread(exstack_t* e, int64_t pe);
int64_t exstack_headroom(exstack_t* e, int64_t pe);
int64_t exstack_min_headroom(exstack_t* e); /* The sum over all PEs, as in bale */
void exstack_reset(exstack_t* e); /* Collective */
void exstack_clear(exstack_t* e); /* Collective */

/* --- exstack2. No call waits for the other PEs but init, reset and clear. */

typedef struct exstack2_t {
  int all_done; /* the last proceed returned 0 */
  struct shoal_exstack2* inside;
} exstack2_t;

exstack2_t* exstack2_init(int64_t buf_cnt, size_t pkg_size); /* Collective */
int64_t exstack2_proceed(exstack2_t* e, int done); /* 0: finished; 1: not done; else what is left */
int64_t exstack2_push(exstack2_t* e, void* item, int64_t pe);
int64_t exstack2_pop(exstack2_t* e, void* item, int64_t* from);
void* exstack2_pull(exstack2_t* e, int64_t* from);
void exstack2_unpop(exstack2_t* e);
void exstack2_unpull(exstack2_t* e);
int64_t exstack2_send(exstack2_t* e, int64_t pe, int islast); /* What was pushed leaves now, to all PEs. 1 */
void exstack2_reset(exstack2_t* e); /* Collective */
void exstack2_clear(exstack2_t* e); /* Collective */

#ifdef __cplusplus
}
#endif

#endif
