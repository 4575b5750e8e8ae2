/* Part of convey.h: where the library lets the inlined part of pushes and pulls write. */
#ifndef SHOAL_CONVEY_OPEN_H
#define SHOAL_CONVEY_OPEN_H

/* The sending end of the link to one PE. */
struct shoal_convey_link {
  char* cursor; /* where the next item goes */
  char* limit; /* equal to it: no room */
  void* others[2];
};

/* The buffer that is being read. */
struct shoal_convey_front {
  const char* next;
  const char* end; /* equal to it: nothing is left */
};

/* What a convey_t begins with. */
struct shoal_convey_open {
  struct shoal_convey_link* links; /* by PE */
  uint64_t n_direct; /* 0: no push is possible here now */
  size_t item_bytes;
  int64_t n_pushes;
  struct shoal_convey_front* front;
  const int64_t* source; /* of its items */
  bool* may_unpull;
  int64_t n_pulls;
};

#endif
