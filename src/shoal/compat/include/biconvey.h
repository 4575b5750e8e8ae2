/* Biconveyors of bale 3.0 on Shoal's: queries to other PEs, and replies in the order of the queries. Results and errors are those
   of convey.h. */
#ifndef SHOAL_BICONVEY_H
#define SHOAL_BICONVEY_H

#include "convey.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct biconveyor biconvey_t;

/* Collective. */
biconvey_t* biconvey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc, uint64_t options);
biconvey_t* biconvey_new_simple(size_t capacity, const convey_alc8r_t* alloc, const convey_mpp_a2a_t* a2a,
                                uint64_t options);
biconvey_t* biconvey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                                const convey_alc8r_t* alloc, uint64_t options);

/* `answer` runs on the PE that is asked, inside its advance. Its arguments may be unaligned. */
int biconvey_begin(biconvey_t* b, size_t query_bytes, size_t reply_bytes,
                   void (*answer)(const void* query, void* reply, void* context), void* context);
int biconvey_push(biconvey_t* b, const void* query, int64_t pe);
int biconvey_pull(biconvey_t* b, void* reply);
int biconvey_advance(biconvey_t* b, bool done);
int biconvey_reset(biconvey_t* b);
int biconvey_free(biconvey_t* b);

#ifdef __cplusplus
}
#endif

#endif
