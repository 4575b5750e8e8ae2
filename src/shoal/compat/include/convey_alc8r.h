/* Conveyors of bale on Shoal: where a conveyor takes memory for items that it hands out. */
#ifndef SHOAL_CONVEY_ALC8R_H
#define SHOAL_CONVEY_ALC8R_H

#include <stddef.h>
#include <stdint.h>

/* All PEs call its functions at the same time. What was grabbed last is freed first. */
typedef struct convey_alc8r {
  void* alc8r;
  void* (*grab)(void* alc8r, size_t size, const char* tag, uint64_t value); /* tag and value: file and line */
  void (*free)(void* alc8r, void* ptr);
} convey_alc8r_t;

#endif
