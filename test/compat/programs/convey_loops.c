/* Conveyors in the loops that programs of bale write: exactly once and in order from each PE to each, request and reply, several
   at once, items of any size, other sizes in later sessions, biconveyors, a program's own allocator. */
#include <biconvey.h>
#include <convey.h>
#include <shmem.h>
#include <string.h>

#include "check.h"

static int me, n;

/* Numbers of this PE. */
static uint64_t state;
static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

/* Each PE sends to each a series of its own; each receiver checks source, order and completeness. `size` bytes an item, at least 8. */
static void exactly_once(convey_t* c, size_t size, int unpulls) {
  const int64_t per_pe = size > 1000 ? 20 : 500;
  int64_t* sent = (int64_t*)calloc((size_t)n, sizeof(int64_t));
  int64_t* seen = (int64_t*)calloc((size_t)n, sizeof(int64_t));
  unsigned char* item = (unsigned char*)calloc(1, size);
  unsigned char* got = (unsigned char*)calloc(1, size);
  int64_t n_sent = 0, n_seen = 0, from = -1;
  int has_item = 0, pe = 0, more;
  CHECK(convey_begin(c, size, 0) == convey_OK);
  CHECK(convey_item_size(c) == size);
  for (;;) {
    more = convey_advance(c, n_sent == per_pe * n);
    CHECK(more == convey_OK || more == convey_NEAR || more == convey_DONE);
    if (more == convey_DONE) break;
    while (n_sent < per_pe * n) {
      if (!has_item) {
        uint32_t words[2];
        do {
          pe = (int)(draw() % (uint64_t)n);
        } while (sent[pe] == per_pe);
        words[0] = (uint32_t)(me * n + pe), words[1] = (uint32_t)sent[pe];
        memcpy(item, words, sizeof words);
        memset(item + 8, (int)words[1], size - 8);
        has_item = 1;
      }
      if (convey_push(c, item, pe) != convey_OK) break;
      has_item = 0;
      ++sent[pe], ++n_sent;
    }
    while (convey_pull(c, got, &from) == convey_OK) {
      uint32_t words[2];
      if (unpulls && draw() % 4 == 0) {
        CHECK(convey_unpull(c) == convey_OK);
        CHECK(convey_unpull(c) == convey_FAIL);
        if (draw() % 2 == 0) break;
        continue;
      }
      memcpy(words, got, sizeof words);
      CHECK(from >= 0 && from < n && words[0] == (uint32_t)(from * n + me));
      CHECK((int64_t)words[1] == seen[from]);
      CHECK(size == 8 || got[size - 1] == (unsigned char)words[1]);
      ++seen[from], ++n_seen;
    }
  }
  CHECK(n_seen == per_pe * n);
  CHECK(convey_statistic(c, convey_PUSHES) == n_sent);
  CHECK(convey_statistic(c, convey_PULLS) - convey_statistic(c, convey_UNPULLS) == n_seen);
  CHECK(convey_statistic(c, convey_ADVANCES) > 0 && convey_statistic(c, convey_BEGINS) == 1);
  CHECK(convey_statistic(c, convey_COMMS) > 0 && convey_statistic(c, convey_BYTES) > 0); /* perhaps encoded */
  CHECK(convey_pull(c, got, NULL) == convey_FAIL && convey_unpull(c) == convey_FAIL);
  CHECK(convey_reset(c) == convey_OK && convey_reset(c) == convey_OK);
  CHECK(convey_statistic(c, convey_PUSHES) == 0 && convey_statistic(c, convey_PUSHES + convey_CUMULATIVE) >= n_sent);
  free(sent), free(seen), free(item), free(got);
}

/* Index gather: a request that finds no room for its reply is put back. */
static void request_and_reply(convey_t* requests, convey_t* replies) {
  typedef struct {
    int64_t place, index;
  } packet;
  const int64_t n_here = 1000, n_asked = 3000;
  int64_t* table = (int64_t*)shmem_malloc((size_t)n_here * sizeof(int64_t));
  int64_t* result = (int64_t*)calloc((size_t)n_asked, sizeof(int64_t));
  int64_t* asked = (int64_t*)calloc((size_t)n_asked, sizeof(int64_t));
  int64_t i = 0, n_got = 0, from = 0;
  packet p, answer;
  CHECK(table != NULL);
  for (i = 0; i < n_here; ++i) table[i] = (i * n + me) * 3 + 1;
  for (i = 0; i < n_asked; ++i) asked[i] = (int64_t)(draw() % (uint64_t)(n_here * n));
  shmem_barrier_all();
  CHECK(convey_begin(requests, sizeof(packet), 0) == convey_OK);
  CHECK(convey_begin(replies, sizeof(packet), 0) == convey_OK);
  CHECK((convey_features(replies) & convey_STEADY) != 0);
  {
    int more;
    i = 0;
    while (more = convey_advance(requests, i == n_asked), more | convey_advance(replies, !more)) {
      for (; i < n_asked; ++i) {
        p.place = i, p.index = asked[i] / n;
        if (!convey_push(requests, &p, asked[i] % n)) break;
      }
      while (convey_pull(requests, &p, &from) == convey_OK) {
        answer.place = p.place, answer.index = table[p.index];
        if (!convey_push(replies, &answer, from)) {
          convey_unpull(requests);
          break;
        }
      }
      while (convey_pull(replies, &p, NULL) == convey_OK) result[p.place] = p.index, ++n_got;
    }
  }
  CHECK(n_got == n_asked);
  for (i = 0; i < n_asked; ++i) CHECK(result[i] == asked[i] * 3 + 1);
  CHECK(convey_reset(requests) == convey_OK && convey_reset(replies) == convey_OK);
  free(result), free(asked);
  shmem_free(table);
}

static void elastic(convey_t* c) {
  const int64_t n_items = 300;
  const size_t sizes[] = {0, 1, 7, 64, 1000, 70000};
  unsigned char* item = (unsigned char*)malloc(70000);
  int64_t i = 0, n_seen = 0, n_bytes = 0, bytes_sent = 0;
  convey_item_t got;
  CHECK((convey_features(c) & convey_ELASTIC) != 0);
  CHECK(convey_begin(c, 16, 16) == convey_OK);
  while (convey_advance(c, i == n_items) != convey_DONE) {
    for (; i < n_items; ++i) {
      const size_t bytes = i % 50 == 0 ? sizes[5] : sizes[i % 5];
      memset(item, (int)(i % 251), bytes);
      if (convey_epush(c, bytes, item, (me + i) % n) != convey_OK) break;
      bytes_sent += (int64_t)bytes;
    }
    while (convey_epull(c, &got) == convey_OK) {
      CHECK(got.data != NULL && got.from >= 0 && got.from < n && (size_t)got.data % 16 == 0);
      CHECK(got.bytes == 0 || ((unsigned char*)got.data)[0] == ((unsigned char*)got.data)[got.bytes - 1]);
      if (n_seen == 5 && got.bytes != 16) {
        CHECK(convey_unpull(c) == convey_OK);
        CHECK(convey_pull(c, item, NULL) == -9); /* of another size; it stays */
        CHECK(convey_epull(c, &got) == convey_OK);
      }
      ++n_seen, n_bytes += (int64_t)got.bytes;
    }
    CHECK(got.data == NULL);
  }
  {
    static long long sums[4], totals[4];
    sums[0] = n_seen, sums[1] = n_items, sums[2] = n_bytes, sums[3] = bytes_sent;
    shmem_longlong_sum_to_all(totals, sums, 4, 0, 0, n, NULL, NULL);
    CHECK(totals[0] == totals[1] && totals[2] == totals[3]);
  }
  CHECK(convey_reset(c) == convey_OK);
  free(item);
}

static void answer(const void* query, void* reply, void* context) {
  int64_t number;
  memcpy(&number, query, sizeof number);
  number = number * *(int64_t*)context + me;
  memcpy(reply, &number, sizeof number);
}

static void queries(biconvey_t* b) {
  const int64_t n_asked = 2000;
  int64_t factor = 5, i = 0, n_got = 0, reply;
  CHECK(biconvey_begin(b, sizeof(int64_t), sizeof(int64_t), answer, &factor) == convey_OK);
  while (biconvey_advance(b, i == n_asked) != convey_DONE) {
    for (; i < n_asked; ++i) {
      if (biconvey_push(b, &i, (i * i + me) % n) != convey_OK) break;
    }
    while (biconvey_pull(b, &reply) == convey_OK) {
      CHECK(reply == n_got * 5 + (n_got * n_got + me) % n);
      ++n_got;
    }
  }
  CHECK(n_got == n_asked);
  CHECK(biconvey_reset(b) == convey_OK);
}

/* --- An allocator that checks the order in which blocks come back. */

enum { most_blocks = 16 };
static void* blocks[most_blocks];
static int n_blocks, n_grabbed;

static void* grab(void* of, size_t size, const char* tag, uint64_t value) {
  CHECK(of == (void*)blocks && size > 0 && tag != NULL && value > 0 && n_blocks < most_blocks);
  ++n_grabbed;
  return blocks[n_blocks++] = malloc(size);
}

static void give_back(void* of, void* block) {
  CHECK(of == (void*)blocks && n_blocks > 0 && blocks[n_blocks - 1] == block);
  free(blocks[--n_blocks]);
}

int main(void) {
  convey_t *a, *b, *e;
  biconvey_t* both;
  const convey_alc8r_t own = {(void*)blocks, grab, give_back};
  int order;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  state = (uint64_t)me + 1;
  a = convey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(a != NULL && convey_features(a) == convey_THRIFTY && convey_item_size(a) == 0);
  exactly_once(a, 8, 0);
  exactly_once(a, 12, 1);
  exactly_once(a, 264, 1);
  exactly_once(a, 40000, 1); /* more than a buffer holds */
  exactly_once(a, 8, 1);
  b = convey_new(SIZE_MAX, 0, NULL, convey_opt_PROGRESS | convey_opt_SCATTER);
  CHECK(b != NULL);
  request_and_reply(a, b);
  CHECK(convey_free(a) == convey_OK);
  exactly_once(b, 16, 1);
  CHECK(convey_free(b) == convey_OK);
  for (order = 1; order <= 3; ++order) {
    a = convey_new_tensor(10000, order, 1, 2, &own, convey_opt_RECKLESS | convey_opt_DYNAMIC);
    b = convey_new_simple(10000, &own, NULL, convey_opt_PROGRESS | convey_opt_COMPRESS);
    e = convey_new_etensor(10000, 100000, order, 1, 2, &own, convey_opt_QUIET);
    CHECK(a != NULL && b != NULL && e != NULL && n_blocks == 3);
    exactly_once(a, 24, 1);
    exactly_once(b, 32, 0);
    elastic(e);
    CHECK(convey_free(e) == convey_OK && convey_free(b) == convey_OK && convey_free(a) == convey_OK);
  }
  CHECK(n_grabbed == 9 && n_blocks == 0);
  e = convey_new_elastic(64, SIZE_MAX, 0, NULL, convey_opt_QUIET);
  CHECK(e != NULL);
  elastic(e);
  exactly_once(e, 40, 1);
  CHECK(convey_free(e) == convey_OK);
  both = biconvey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(both != NULL);
  queries(both);
  queries(both);
  CHECK(biconvey_free(both) == convey_OK);
  both = biconvey_new_simple(10000, NULL, NULL, 0);
  queries(both);
  CHECK(biconvey_free(both) == convey_OK);
  both = biconvey_new_tensor(10000, 2, 1, 2, NULL, 0);
  queries(both);
  CHECK(biconvey_free(both) == convey_OK && biconvey_free(NULL) == convey_OK);
  /* Left behind: the end of the job is theirs. */
  a = convey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET);
  exactly_once(a, 8, 0);
  b = convey_new(SIZE_MAX, 0, NULL, 0);
  both = biconvey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET);
  PASSED();
  shmem_finalize();
  CHECK(convey_begin(a, 8, 0) == -1 && convey_push(a, &a, 0) == -1 && biconvey_push(both, &a, 0) == -1);
  CHECK(convey_free(a) == convey_OK && biconvey_free(both) == convey_OK);
  (void)b;
  return 0;
}
