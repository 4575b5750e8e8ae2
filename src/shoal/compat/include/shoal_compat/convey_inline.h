/* Part of convey.h: the usual case of a push and of a pull. There is an open buffer with room for the PE, or an item in the buffer
   that is being read; routes have one hop. Everything else is left to the library, which then looks at arguments and states. */
#include <string.h>

#include "convey_open.h"

/* The sizes of most items, as a move or two. GCC warns of moves that are never taken for the object at hand. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
inline void shoal_convey_copy(void* to, const void* from, size_t bytes);
inline void shoal_convey_copy(void* to, const void* from, size_t bytes) {
  switch (bytes) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 16: memcpy(to, from, 16); break;
    default: memcpy(to, from, bytes); break;
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

inline int convey_push(convey_t* c, const void* item, int64_t pe) {
  struct shoal_convey_open* open = (struct shoal_convey_open*)c;
  if (c != NULL && (uint64_t)pe < open->n_direct) {
    struct shoal_convey_link* link = open->links + pe;
    char* cursor = link->cursor;
    if (cursor != link->limit) {
      const size_t bytes = open->item_bytes;
      shoal_convey_copy(cursor, item, bytes);
      link->cursor = cursor + bytes;
      ++open->n_pushes;
      return convey_OK;
    }
  }
  return shoal_convey_push(c, item, pe);
}

inline int convey_pull(convey_t* c, void* item, int64_t* from) {
  struct shoal_convey_open* open = (struct shoal_convey_open*)c;
  if (c != NULL) {
    struct shoal_convey_front* front = open->front;
    const char* next = front->next;
    if (next != front->end) {
      const size_t bytes = open->item_bytes;
      shoal_convey_copy(item, next, bytes);
      front->next = next + bytes;
      if (from != NULL) *from = *open->source;
      *open->may_unpull = true;
      ++open->n_pulls;
      return convey_OK;
    }
  }
  return shoal_convey_pull(c, item, from);
}
