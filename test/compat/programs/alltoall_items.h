/* What alltoallv.c sends, and how: contents of items that each receiver knows, sessions of a conveyor that count, and
   an allocator that checks the order in which blocks come back. */
#ifndef SHOAL_TEST_COMPAT_ALLTOALL_ITEMS_H
#define SHOAL_TEST_COMPAT_ALLTOALL_ITEMS_H

#include <convey.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { SIMPLE, TWOHOP, VECTOR, MATRIX, TENSOR } flavour;

typedef enum { EXCHANGE, HISTOGRAM, GATHER } application;

/* A command line. */
typedef struct {
  flavour kind;
  const char* name; /* of the flavour */
  application what;
  int64_t load; /* pushes for each pair of PEs, on average */
  size_t item_size;
  size_t n_buffers, capacity, n_local;
  uint64_t options; /* of conveyors */
  double autotune_seconds;
  double unpulled; /* part of the pulls that is undone */
  uint64_t seed;
  int64_t table_words; /* per PE */
  int64_t n_iterations, n_warmups;
  int entropy_bits; /* -1: items are not compressed */
  int failure_status;
  bool is_elastic, is_quiet, is_verbose, is_steady_test, is_own_alltoall;
  bool checks_alignment, checks_pairs, checks_allocations, has_random_sizes;
  bool prints_configuration, prints_hosts;
} settings;

static int me, n_pes;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- Errors: the first ones are told, all are counted */

static int64_t n_errors; /* of this PE and command line */

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static void
complain(const char* format, ...) {
  if (++n_errors <= 5) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "PE %d: %s\n", me, text);
  }
}

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) complain("line %d: not so: %s", __LINE__, #condition); \
  } while (0)

/* What never ends is an error, too. Waits of all loops come here. */
enum { limit_s = 60 };
static void expect_before_limit(double begin, const char* what) {
  if (now() - begin < limit_s) return;
  fprintf(stderr, "PE %d: %s: no end within %d s\n", me, what, (int)limit_s);
  exit(1);
}

/* --- Contents */

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
  return mixed(a + UINT64_C(0x9e3779b97f4a7c15) * (b + mixed(c + UINT64_C(0x9e3779b97f4a7c15))));
}

/* Of one item. All PEs know all of them by these numbers. */
typedef struct {
  uint64_t session;
  int from, to;
  int64_t number; /* of those from one PE to the other */
} identity;

static uint64_t hash_of(const identity* its) {
  return hash(its->session, (uint64_t)its->from << 32 | (uint64_t)its->to, (uint64_t)its->number);
}

/* Items of an elastic conveyor may be empty. */
static size_t size_of(const settings* s, size_t largest, const identity* its) {
  return s->is_elastic ? (size_t)(hash_of(its) % (largest + 1)) : largest;
}

/* Number, sender and receiver, if there is room; then random bytes. With entropy_bits: so many random bits, and zeros,
   so that a codec has something to find. */
static void fill(const settings* s, unsigned char* item, size_t bytes, const identity* its) {
  const uint64_t key = hash_of(its);
  size_t at, random_bytes = bytes;
  if (s->entropy_bits >= 0 && (size_t)(s->entropy_bits + 7) / 8 < bytes)
    random_bytes = (size_t)(s->entropy_bits + 7) / 8;
  for (at = 0; at < random_bytes; at += 8) {
    const uint64_t word = mixed(key + at);
    memcpy(item + at, &word, random_bytes - at < 8 ? random_bytes - at : 8);
  }
  memset(item + random_bytes, 0, bytes - random_bytes);
  if (s->entropy_bits >= 0) {
    if (random_bytes > 0 && s->entropy_bits % 8 != 0) {
      item[random_bytes - 1] = (unsigned char)(item[random_bytes - 1] & ((1 << s->entropy_bits % 8) - 1));
    }
  } else if (bytes >= 8) {
    const uint32_t number = (uint32_t)its->number;
    const uint16_t ends[2] = {(uint16_t)its->from, (uint16_t)its->to};
    memcpy(item, &number, sizeof number);
    memcpy(item + 4, ends, sizeof ends);
  }
}

/* What a wrong item says of itself. */
static void complain_of(const settings* s, const unsigned char* item, size_t bytes, const identity* expected) {
  uint32_t number = 0;
  uint16_t ends[2] = {0, 0};
  if (s->entropy_bits >= 0 || bytes < 8) {
    complain("item %ld from PE %d has another content", (long)expected->number, expected->from);
    return;
  }
  memcpy(&number, item, sizeof number);
  memcpy(ends, item + 4, sizeof ends);
  complain("item %ld from PE %d came as item %ld from PE %d to PE %d, or its bytes changed", (long)expected->number,
           expected->from, (long)number, (int)ends[0], (int)ends[1]);
}

/* The same from both ends: sum over words of (2i + 2 (self xor peer) + 1) * word_i. */
static uint64_t weigh(const unsigned char* item, size_t bytes, int self, int peer) {
  uint64_t sum = 0, i;
  for (i = 0; i * 8 < bytes; ++i) {
    uint64_t word = 0;
    memcpy(&word, item + 8 * i, bytes - 8 * i < 8 ? bytes - 8 * i : 8);
    sum += (2 * i + 2 * (uint64_t)(self ^ peer) + 1) * word;
  }
  return sum;
}

/* --- An allocator: all PEs call it together, and blocks come back last in, first out */

enum { most_blocks = 64 };
typedef struct {
  void* blocks[most_blocks];
  int n_blocks, n_grabbed;
} allocations;

static void* grab(void* from, size_t size, const char* tag, uint64_t value) {
  allocations* in = (allocations*)from;
  void* block = shmem_align(64, size); /* fails by itself if sizes differ */
  EXPECT(size > 0 && tag != NULL && value > 0);
  if (in->n_blocks == most_blocks || block == NULL) return NULL;
  ++in->n_grabbed;
  return in->blocks[in->n_blocks++] = block;
}

static void give_back(void* to, void* block) {
  allocations* in = (allocations*)to;
  if (in->n_blocks == 0 || in->blocks[in->n_blocks - 1] != block) {
    complain("a block comes back that is not the last one grabbed");
    return;
  }
  shmem_free(in->blocks[--in->n_blocks]);
}

/* --- Sessions of a conveyor */

typedef struct {
  convey_t* c;
  const settings* s;
  size_t item_size; /* most bytes, if it is elastic */
  size_t align; /* that pulled items are to have */
  int64_t n_pushed, n_pulled, n_unpulled, n_advances;
  uint64_t draws;
  unsigned char* item; /* being pulled */
  unsigned char* item_back; /* what was unpulled */
} session;

static void begin_session(session* its, const settings* s, convey_t* c, size_t item_size, uint64_t key) {
  const size_t asked = (size_t)1 << key % 7; /* perhaps more than divides the size */
  memset(its, 0, sizeof *its);
  its->c = c, its->s = s, its->item_size = item_size, its->draws = hash(key, (uint64_t)me, 0);
  its->align = asked;
  if (item_size % asked != 0) {
    for (its->align = 1; its->align < 64 && item_size % (2 * its->align) == 0;) its->align *= 2;
  }
  its->item = (unsigned char*)malloc(item_size + 1);
  its->item_back = (unsigned char*)malloc(item_size + 1);
  EXPECT(convey_begin(c, item_size, asked) == convey_OK);
  EXPECT(convey_item_size(c) == item_size);
}

/* Reset and counts. */
static void end_session(session* its) {
  const int64_t n_pushes = convey_statistic(its->c, convey_PUSHES);
  const int64_t n_unpulls = convey_statistic(its->c, convey_UNPULLS);
  const int64_t n_pulls = convey_statistic(its->c, convey_PULLS);
  const int64_t n_advances = convey_statistic(its->c, convey_ADVANCES);
  if (n_pushes != its->n_pushed || n_pulls != its->n_pulled || n_unpulls != its->n_unpulled ||
      n_advances != its->n_advances) {
    complain("statistics: %ld pushes, %ld pulls, %ld unpulls, %ld advances; there were %ld, %ld, %ld, %ld",
             (long)n_pushes, (long)n_pulls, (long)n_unpulls, (long)n_advances, (long)its->n_pushed, (long)its->n_pulled,
             (long)its->n_unpulled, (long)its->n_advances);
  }
  EXPECT(convey_statistic(its->c, convey_BEGINS) == 1);
  EXPECT(convey_pull(its->c, its->item, NULL) == convey_FAIL);
  EXPECT(convey_unpull(its->c) == convey_FAIL);
  EXPECT(convey_reset(its->c) == convey_OK);
  EXPECT(convey_item_size(its->c) == 0);
  free(its->item), free(its->item_back);
}

/* Whether it goes on, as advance tells it. */
static int advance(session* its, bool is_done) {
  const int more = convey_advance(its->c, is_done);
  if (more != convey_OK && more != convey_NEAR && more != convey_DONE) {
    fprintf(stderr, "PE %d: advance: %s\n", me, convey_error_string(its->c, more));
    exit(1);
  }
  ++its->n_advances;
  return more;
}

/* Whether it was taken. */
static bool push(session* its, size_t bytes, const void* item, int64_t pe) {
  const int result = its->s->is_elastic ? convey_epush(its->c, bytes, item, pe) : convey_push(its->c, item, pe);
  EXPECT(result == convey_OK || result == convey_FAIL);
  its->n_pushed += result == convey_OK;
  return result == convey_OK;
}

static bool pull_once(session* its, convey_item_t* got) {
  int result;
  if (its->s->is_elastic) {
    result = convey_epull(its->c, got);
    if (result == convey_OK && got->bytes > its->item_size) complain("an item of %zu bytes", got->bytes);
  } else if (its->s->checks_alignment) {
    got->bytes = its->item_size;
    got->data = convey_apull(its->c, &got->from);
    result = got->data != NULL;
  } else {
    got->bytes = its->item_size;
    got->data = its->item;
    result = convey_pull(its->c, its->item, &got->from);
  }
  EXPECT(result == convey_OK || result == convey_FAIL);
  if (result != convey_OK) return false;
  ++its->n_pulled;
  if (got->from < 0 || got->from >= n_pes) {
    fprintf(stderr, "PE %d: an item from PE %ld\n", me, (long)got->from);
    exit(1);
  }
  if (its->s->checks_alignment && (uintptr_t)got->data % its->align != 0) {
    complain("an item is not at a multiple of %zu bytes", its->align);
  }
  return true;
}

static void unpull(session* its) {
  EXPECT(convey_unpull(its->c) == convey_OK);
  EXPECT(convey_unpull(its->c) == convey_FAIL);
  ++its->n_unpulled;
}

/* Pulls one item. Undoes some pulls, and takes the item again at once or leaves it for the next call. */
static bool pull(session* its, convey_item_t* got) {
  if (!pull_once(its, got)) return false;
  while (its->s->unpulled > 0) {
    const uint64_t draw = its->draws = mixed(its->draws + UINT64_C(0x9e3779b97f4a7c15));
    const size_t bytes = got->bytes;
    if ((double)(draw >> 11) >= its->s->unpulled * 9007199254740992.0) break;
    if (bytes > 0) memcpy(its->item_back, got->data, bytes < its->item_size ? bytes : its->item_size);
    unpull(its);
    if (draw % 2 == 0) return false;
    if (!pull_once(its, got)) {
      complain("an item is gone that was unpulled");
      return false;
    }
    EXPECT(got->bytes == bytes && memcmp(got->data, its->item_back, bytes) == 0);
  }
  return true;
}

#endif
