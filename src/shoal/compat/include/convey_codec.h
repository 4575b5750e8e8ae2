/* Conveyors of bale on Shoal: the form of codecs. */
#ifndef SHOAL_CONVEY_CODEC_H
#define SHOAL_CONVEY_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is in a buffer: packets of a tag and an item. */
typedef struct convey_cargo {
  size_t tag_size;
  size_t item_size;
  size_t packet_size;
  size_t max_items;
  void* arg;
} convey_cargo_t;

/* How a codec wants it: packet i begins at offset + i * stride, the buffer at a multiple of align. `slack`: bytes beyond the packets
   that compress may write, `overrun`: that it may read. */
typedef struct convey_layout {
  size_t align;
  size_t stride;
  size_t slack;
  size_t offset;
  size_t overrun;
} convey_layout_t;

typedef struct convey_codec {
  const char* name;
  bool (*plan)(const convey_cargo_t* cargo, convey_layout_t* layout); /* false: it refuses */
  void* (*link)(const convey_cargo_t* cargo, bool decompress);
  /* The bytes written to `out`, at most `limit`; 0: the packets are to be sent as they are. */
  size_t (*compress)(const convey_cargo_t* cargo, void* link, size_t n_items, void* in, size_t limit, void* out);
  void (*decompress)(const convey_cargo_t* cargo, void* link, size_t n_items, size_t n_bytes, void* in, void* out);
  void (*unlink)(const convey_cargo_t* cargo, void* link);
} convey_codec_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Leaves out the bytes that all packets have in common. */
extern const convey_codec_t convey_standard_codec;

#ifdef __cplusplus
}
#endif

#endif
