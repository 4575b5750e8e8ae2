/* exstack and exstack2 in the loops of bale's programs: exactly once and in order, pulls in place, undone pops, request and reply by two
   of them, sessions one after another. */
#include <exstack.h>

#include "check.h"

typedef struct {
  int64_t from, number, pad;
} packet;

static int64_t me, n;
static uint64_t state;
static int64_t draw(int64_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)below);
}

static void rounds(exstack_t* e, int64_t per_pe) {
  int64_t* sent = (int64_t*)calloc((size_t)n, sizeof(int64_t));
  int64_t* seen = (int64_t*)calloc((size_t)n, sizeof(int64_t));
  int64_t i = 0, n_seen = 0, from = -1, last = -1;
  int64_t pe = draw(n);
  packet p = {me, 0, 0}, *place;
  while (exstack_proceed(e, i == per_pe)) {
    int64_t room;
    for (; i < per_pe; ++i) {
      p.from = me, p.number = sent[pe];
      CHECK(exstack_min_headroom(e) >= exstack_headroom(e, pe));
      room = exstack_push(e, &p, pe);
      if (room == 0) break;
      CHECK(room == exstack_headroom(e, pe) + 1);
      ++sent[pe];
      pe = draw(n);
    }
    exstack_exchange(e);
    last = -1;
    for (;;) {
      if (draw(2)) {
        if (!exstack_pop(e, &p, &from)) break;
        if (draw(4) == 0) {
          exstack_unpop(e);
          continue;
        }
      } else {
        place = (packet*)exstack_pull(e, &from);
        if (place == NULL) break;
        if (draw(4) == 0) {
          exstack_unpull(e);
          continue;
        }
        p = *place;
      }
      CHECK(p.from == from && from >= last && p.number == seen[from]);
      last = from;
      ++seen[from], ++n_seen;
    }
  }
  CHECK(lgp_reduce_add_l(n_seen) == n * per_pe);
  exstack_reset(e);
  free(sent), free(seen);
}

static void by_source(exstack_t* e) {
  packet p = {me, 0, 0};
  int64_t pe, from;
  for (pe = 0; pe < n; ++pe) {
    p.number = 10 * me + pe;
    CHECK(exstack_push(e, &p, pe) > 0);
  }
  exstack_exchange(e);
  for (pe = n - 1; pe >= 0; --pe) {
    CHECK(exstack_pop_thread(e, &p, pe) == 1 && p.number == 10 * pe + me);
    exstack_unpop_thread(e, pe);
    CHECK(exstack_pop_thread(e, &p, pe) == 1 && p.from == pe);
    CHECK(exstack_pop_thread(e, &p, pe) == 0);
  }
  CHECK(exstack_pop(e, &p, &from) == 0);
  CHECK(exstack_push(e, &p, me) > 0);
  exstack_exchange(e);
  exstack_exchange(e); /* what nobody popped is gone */
  CHECK(exstack_pop(e, &p, NULL) == 0);
  exstack_reset(e);
}

static void gather(exstack2_t* requests, exstack2_t* replies, int64_t count) {
  SHARED int64_t* table = (int64_t*)lgp_all_alloc(100 * n, sizeof(int64_t));
  int64_t* part = lgp_local_part(int64_t, table);
  int64_t* result = (int64_t*)calloc((size_t)count, sizeof(int64_t));
  int64_t* index = (int64_t*)calloc((size_t)count, sizeof(int64_t));
  int64_t i, from, n_got = 0;
  packet p;
  for (i = 0; i < 100; ++i) part[i] = 7 * (i * n + me);
  for (i = 0; i < count; ++i) index[i] = draw(100 * n);
  lgp_barrier();
  i = 0;
  while (exstack2_proceed(requests, i == count) || exstack2_proceed(replies, requests->all_done)) {
    for (; i < count; ++i) {
      p.from = i, p.number = index[i] / n, p.pad = 0;
      if (!exstack2_push(requests, &p, index[i] % n)) break;
    }
    while (exstack2_pop(requests, &p, &from)) {
      p.number = part[p.number];
      if (!exstack2_push(replies, &p, from)) {
        exstack2_unpop(requests);
        break;
      }
    }
    for (;;) {
      packet* place = (packet*)exstack2_pull(replies, NULL);
      if (place == NULL) break;
      if (draw(8) == 0) {
        exstack2_unpull(replies);
        continue;
      }
      result[place->from] = place->number;
      ++n_got;
    }
  }
  CHECK(n_got == count && requests->all_done && replies->all_done);
  for (i = 0; i < count; ++i) CHECK(result[i] == 7 * index[i]);
  CHECK(exstack2_send(requests, 0, 0) == 1);
  exstack2_reset(requests);
  exstack2_reset(replies);
  lgp_barrier();
  lgp_all_free(table);
  free(result), free(index);
}

int main(int argc, char** argv) {
  exstack_t* e;
  exstack2_t *a, *b;
  lgp_init(argc, argv);
  me = MYTHREAD, n = THREADS;
  state = (uint64_t)me + 17;
  CHECK(exstack_init(0, 8) == NULL && exstack2_init(0, 8) == NULL);
  e = exstack_init(16, sizeof(packet));
  CHECK(e != NULL);
  rounds(e, 1000);
  by_source(e);
  rounds(e, me == 0 ? 500 : 500);
  exstack_clear(e);
  free(e);
  e = exstack_init(1, sizeof(packet));
  rounds(e, 100);
  exstack_clear(e);
  free(e);
  a = exstack2_init(64, sizeof(packet));
  b = exstack2_init(64, sizeof(packet));
  CHECK(a != NULL && b != NULL);
  gather(a, b, 2000);
  gather(a, b, 3000);
  exstack2_clear(a), exstack2_clear(b);
  free(a), free(b);
  lgp_barrier();
  if (me == 0) printf("passed\n");
  lgp_finalize();
  return 0;
}
