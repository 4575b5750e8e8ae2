/* Codecs that a program plugs into conveyors: each link has its own state, and buffers keep their order on it. The argument is
   "nodes" if PEs are of several nodes, where codecs serve. */
#include <stdlib.h>
#include <string.h>

#include <convey.h>
#include <convey_codec.h>
#include <shmem.h>

#include "check.h"

/* --- A codec that keeps the low two bytes of each word, and counts buffers on each link. It asks for a layout of its own. */

static int64_t n_plans, n_links, n_unlinks, n_compressed, n_decompressed;
static int the_argument;

typedef struct state {
  int64_t n_buffers;
  bool is_decompressing;
} state_t;

static bool plan(const convey_cargo_t* cargo, convey_layout_t* layout) {
  ++n_plans;
  CHECK(cargo->arg == &the_argument && cargo->packet_size == cargo->tag_size + cargo->item_size);
  CHECK(cargo->max_items * cargo->packet_size >= cargo->packet_size);
  if (cargo->item_size % 8 != 0) return false;
  layout->align = 32;
  layout->stride = cargo->packet_size + 16;
  layout->offset = 24;
  layout->slack = 8;
  layout->overrun = 8;
  return true;
}

static void* begin_link(const convey_cargo_t* cargo, bool decompress) {
  state_t* its = (state_t*)calloc(1, sizeof(state_t));
  CHECK(its != NULL && cargo->arg == &the_argument);
  its->is_decompressing = decompress;
  ++n_links;
  return its;
}

static void end_link(const convey_cargo_t* cargo, void* link) {
  CHECK(cargo->arg == &the_argument);
  ++n_unlinks;
  free(link);
}

static size_t compress(const convey_cargo_t* cargo, void* link, size_t n_items, void* in, size_t limit, void* out) {
  state_t* its = (state_t*)link;
  const size_t n_words = cargo->packet_size / 8, bytes = 8 + n_items * n_words * 2;
  char* to = (char*)out;
  size_t i, word;
  CHECK(!its->is_decompressing && (uintptr_t)in % 32 == 0);
  if (bytes > limit) return 0;
  for (i = 0; i < n_items; ++i) {
    for (word = 0; word < n_words; ++word) {
      uint64_t value;
      memcpy(&value, (char*)in + 24 + i * (cargo->packet_size + 16) + word * 8, 8);
      if (value >> 16 != 0) return 0;
      memcpy(to + 8 + (i * n_words + word) * 2, &value, 2); /* little-endian */
    }
  }
  memcpy(to, &its->n_buffers, 8);
  ++its->n_buffers;
  ++n_compressed;
  return bytes;
}

static void decompress(const convey_cargo_t* cargo, void* link, size_t n_items, size_t n_bytes, void* in, void* out) {
  state_t* its = (state_t*)link;
  const size_t n_words = cargo->packet_size / 8;
  int64_t n_before;
  size_t i, word;
  CHECK(its->is_decompressing && n_bytes == 8 + n_items * n_words * 2 && (uintptr_t)out % 32 == 0);
  memcpy(&n_before, in, 8);
  CHECK(n_before == its->n_buffers);
  ++its->n_buffers;
  for (i = 0; i < n_items; ++i) {
    for (word = 0; word < n_words; ++word) {
      uint64_t value = 0;
      memcpy(&value, (char*)in + 8 + (i * n_words + word) * 2, 2);
      memcpy((char*)out + 24 + i * (cargo->packet_size + 16) + word * 8, &value, 8);
    }
  }
  ++n_decompressed;
}

static const convey_codec_t own = {"low bytes", plan, begin_link, compress, decompress, end_link};
static const convey_codec_t no_plan = {"none", NULL, begin_link, compress, decompress, end_link};

/* --- Every PE sends n items of n_words words to each; words are small, and every tenth buffer's worth has a large one. */

static uint64_t word_of(int64_t i, int from, int to, int word) {
  const uint64_t small = (uint64_t)(i * 7 + from * 31 + to + word) & 0xffff;
  return i % 30000 == 29999 ? small << 40 : small;
}

static void exchange(convey_t* c, int64_t n, int n_words) {
  const int n_pes = shmem_n_pes(), me = shmem_my_pe();
  uint64_t item[8];
  int64_t sent = 0, from;
  int64_t* next = (int64_t*)calloc((size_t)n_pes, sizeof(int64_t));
  int word;
  CHECK(next != NULL && convey_begin(c, (size_t)n_words * 8, 0) == convey_OK);
  while (convey_advance(c, sent == n * n_pes) != convey_DONE) {
    for (; sent < n * n_pes; ++sent) {
      const int to = (int)(sent % n_pes);
      for (word = 0; word < n_words; ++word) item[word] = word_of(sent / n_pes, me, to, word);
      if (convey_push(c, item, to) != convey_OK) break;
    }
    while (convey_pull(c, item, &from) == convey_OK) {
      for (word = 0; word < n_words; ++word) CHECK(item[word] == word_of(next[from], (int)from, me, word));
      ++next[from];
    }
  }
  for (from = 0; from < n_pes; ++from) CHECK(next[from] == n);
  CHECK(convey_reset(c) == convey_OK);
  free(next);
}

/* Of all PEs. */
static int64_t sum(int64_t value) {
  static int64_t mine, all;
  mine = value;
  shmem_barrier_all();
  CHECK(shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1) == 0);
  return all;
}

int main(int argc, char* argv[]) {
  convey_t* c;
  int order;
  bool has_nodes;
  (void)argv;
  shmem_init();
  has_nodes = argc > 1 && shmem_n_pes() > 1;
  c = convey_new_elastic(100, SIZE_MAX, 0, NULL, convey_opt_COMPRESS);
  CHECK((convey_features(c) & convey_THRIFTY) == 0 && convey_set_codec(c, &own, &the_argument) == convey_FAIL);
  CHECK(convey_free(c) == convey_OK);

  for (order = 0; order <= 3; ++order) {
    const int64_t n_before = sum(n_compressed);
    int64_t n_then;
    c = order == 0 ? convey_new(SIZE_MAX, 0, NULL, convey_opt_COMPRESS) : convey_new_tensor(1000, order, 1, 2, NULL, convey_opt_COMPRESS);
    CHECK(c != NULL && (convey_features(c) & convey_THRIFTY) != 0);
    exchange(c, 1000, 1);
    CHECK(convey_set_codec(c, &no_plan, &the_argument) == convey_FAIL);
    CHECK(convey_set_codec(c, &own, &the_argument) == convey_OK);
    CHECK(sum(n_compressed) == n_before && sum(n_decompressed) == n_before);
    exchange(c, 100000, 1);
    exchange(c, 1000, 3);
    n_then = sum(n_compressed);
    CHECK((n_then > n_before) == has_nodes && sum(n_decompressed) == n_then);
    CHECK(convey_set_codec(c, NULL, NULL) == convey_OK);
    exchange(c, 1000, 2);
    CHECK(sum(n_compressed) == n_then && n_unlinks == n_links);
    CHECK(convey_set_codec(c, &convey_standard_codec, NULL) == convey_OK);
    exchange(c, 20000, 4);
    CHECK(convey_set_codec(c, &own, &the_argument) == convey_OK);
    exchange(c, 5000, 2);
    CHECK(convey_free(c) == convey_OK && n_unlinks == n_links);
  }
  /* One that refuses: items go as they are. */
  c = convey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(convey_set_codec(c, &own, &the_argument) == convey_OK && convey_begin(c, 5, 0) == convey_OK);
  while (convey_advance(c, true) != convey_DONE) continue;
  CHECK(convey_free(c) == convey_OK && n_plans > 0 && n_unlinks == n_links);
  shmem_barrier_all();
  PASSED();
  shmem_finalize();
  return 0;
}
