/* The exchange of alltoallv.c: items to random PEs, acknowledged if asked for; and what senders and receivers agree
   on. */
#ifndef SHOAL_TEST_COMPAT_ALLTOALL_EXCHANGE_H
#define SHOAL_TEST_COMPAT_ALLTOALL_EXCHANGE_H

#include "alltoall_items.h"

/* Symmetric memory for what PEs tell one another after an exchange: an element for each PE. */
typedef struct {
  int64_t *counts, *sums;
  long* n_ready; /* one; announcements since the command line began */
  int64_t n_sessions;
} told;

typedef struct {
  int64_t *sent, *received, *acknowledged; /* by PE */
  int64_t *sums_sent, *sums_received;
  int64_t n_sent, n_acknowledged;
} tallies;

/* Short enough that sums of sums do not overflow. */
static int64_t short_sum(uint64_t sum) { return (int64_t)(sum & ((UINT64_C(1) << 40) - 1)); }

static void receive(const settings* s, const convey_item_t* got, uint64_t key, tallies* all, unsigned char* expected) {
  const identity its = {key, (int)got->from, me, all->received[got->from]};
  const unsigned char* item = (const unsigned char*)got->data;
  const size_t bytes = size_of(s, s->item_size, &its);
  fill(s, expected, bytes, &its);
  if (got->bytes != bytes) {
    complain("item %ld from PE %d has %zu bytes, not %zu", (long)its.number, its.from, got->bytes, bytes);
  } else if (memcmp(item, expected, bytes) != 0) {
    complain_of(s, item, bytes, &its);
  }
  if (!s->checks_alignment) {
    all->sums_received[its.from] =
        short_sum((uint64_t)all->sums_received[its.from] + weigh(item, got->bytes, me, its.from));
  }
  ++all->received[its.from];
}

/* What senders know must be what receivers found. */
static void compare(const settings* s, told* with, const tallies* all) {
  long long mine[2] = {0, 0}, sums[2];
  int pe;
  shmem_barrier_all(); /* all have read what the last one told them */
  for (pe = 0; pe < n_pes; ++pe) {
    shmem_int64_p(&with->counts[me], all->sent[pe], pe);
    shmem_int64_p(&with->sums[me], all->sums_sent[pe], pe);
    mine[0] += all->sums_sent[pe];
    mine[1] += all->sums_received[pe];
  }
  shmem_longlong_sum_to_all(sums, mine, 2, 0, 0, n_pes, NULL, NULL);
  shmem_barrier_all();
  for (pe = 0; pe < n_pes; ++pe) {
    if (with->counts[pe] != all->received[pe]) {
      complain("%ld items from PE %d, not %ld", (long)all->received[pe], pe, (long)with->counts[pe]);
    }
    if (s->checks_pairs && with->sums[pe] != all->sums_received[pe]) {
      complain("PE %d sent words of sum %ld, but the sum of what came is %ld", pe, (long)with->sums[pe],
               (long)all->sums_received[pe]);
    }
  }
  if (sums[0] != sums[1] && me == 0) complain("sum of all words: sent %lld, received %lld", sums[0], sums[1]);
}

/* Each item is acknowledged by its number. If there is no room, it comes again. */
static bool acknowledge(session* tally, const tallies* all, int64_t to) {
  return push(tally, sizeof(int64_t), &all->received[to], to);
}

static void take_acknowledgements(session* tally, tallies* all) {
  convey_item_t got = {0, NULL, -1};
  while (pull(tally, &got)) {
    int64_t number;
    memcpy(&number, got.data, sizeof number);
    if (number != all->acknowledged[got.from]++) complain("PE %ld acknowledged item %ld", (long)got.from, (long)number);
    ++all->n_acknowledged;
  }
}

/* Whether this PE may say so. In the test of steadiness: once all items of all PEs are acknowledged. */
static bool is_done(told* with, const tallies* all, int64_t n_mine, bool is_steady_test, bool* has_announced) {
  int pe;
  if (all->n_sent < n_mine || !is_steady_test) return all->n_sent == n_mine;
  if (!*has_announced && all->n_acknowledged == n_mine) {
    for (pe = 0; pe < n_pes; ++pe) shmem_long_atomic_inc(with->n_ready, pe);
    *has_announced = true;
  }
  return shmem_long_atomic_fetch(with->n_ready, me) == with->n_sessions * n_pes;
}

static void exchange(const settings* s, convey_t* const c[2], size_t item_size, uint64_t key, told* with) {
  settings of_tally = *s, of_session = *s;
  const int64_t n_mine = s->load * n_pes;
  const double begin = now();
  int64_t* numbers = (int64_t*)calloc((size_t)(5 * n_pes), sizeof *numbers);
  unsigned char* item = (unsigned char*)malloc(item_size + 1);
  unsigned char* expected = (unsigned char*)malloc(item_size + 1);
  tallies all = {numbers, numbers + n_pes, numbers + 2 * n_pes, numbers + 3 * n_pes, numbers + 4 * n_pes, 0, 0};
  convey_item_t got = {0, NULL, -1};
  session main_one, tally;
  bool has_item = false, has_announced = false;
  int more, more_tally = convey_DONE;
  size_t bytes = 0;
  identity its = {key, me, 0, 0};
  of_session.item_size = item_size;
  of_tally.is_elastic = of_tally.checks_alignment = false;
  of_tally.unpulled = 0;
  begin_session(&main_one, &of_session, c[0], item_size, key);
  if (s->is_steady_test) begin_session(&tally, &of_tally, c[1], sizeof(int64_t), key);
  ++with->n_sessions;
  for (;;) {
    expect_before_limit(begin, s->is_steady_test ? "acknowledged exchange" : "exchange");
    more = advance(&main_one, is_done(with, &all, n_mine, s->is_steady_test, &has_announced));
    if (s->is_steady_test) more_tally = advance(&tally, more == convey_DONE);
    if (more == convey_DONE && more_tally == convey_DONE) break;
    for (; all.n_sent < n_mine; ++all.n_sent) {
      if (!has_item) {
        its.to = (int)(hash(key, (uint64_t)me, (uint64_t)all.n_sent) % (uint64_t)n_pes);
        its.number = all.sent[its.to];
        bytes = size_of(s, item_size, &its);
        fill(s, item, bytes, &its);
        has_item = true;
      }
      if (!push(&main_one, bytes, item, its.to)) break;
      has_item = false;
      ++all.sent[its.to];
      if (s->checks_alignment) continue;
      all.sums_sent[its.to] = short_sum((uint64_t)all.sums_sent[its.to] + weigh(item, bytes, me, its.to));
    }
    while (pull(&main_one, &got)) {
      if (s->is_steady_test && !acknowledge(&tally, &all, got.from)) {
        unpull(&main_one);
        break;
      }
      receive(&of_session, &got, key, &all, expected);
    }
    if (s->is_steady_test) take_acknowledgements(&tally, &all);
  }
  if (s->is_steady_test) end_session(&tally);
  end_session(&main_one);
  compare(s, with, &all);
  free(numbers), free(item), free(expected);
}

#endif
