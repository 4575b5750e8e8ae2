/* Two applications of alltoallv.c: histogram, and index gather by requests and replies. Each PE knows what all others
   do, so it computes by itself what is to come out. */
#ifndef SHOAL_TEST_COMPAT_ALLTOALL_APPS_H
#define SHOAL_TEST_COMPAT_ALLTOALL_APPS_H

#include "alltoall_items.h"

/* An item of these: two numbers, and bytes that follow from them. */
typedef struct {
  uint32_t index, number;
} entry;

static size_t write_entry(const session* its, unsigned char* item, uint32_t index, uint32_t number) {
  const entry head = {index, number};
  size_t bytes = its->item_size;
  if (its->s->is_elastic) bytes = sizeof head + hash(index, number, 0) % (bytes - sizeof head + 1);
  memcpy(item, &head, sizeof head);
  memset(item + sizeof head, (int)((index ^ number) & 0xff), bytes - sizeof head);
  return bytes;
}

static entry read_entry(const session* its, const convey_item_t* got) {
  entry head = {0, 0};
  size_t bytes = its->item_size, i;
  const unsigned char* item = (const unsigned char*)got->data;
  if (got->bytes >= sizeof head) memcpy(&head, item, sizeof head);
  if (its->s->is_elastic) bytes = sizeof head + hash(head.index, head.number, 0) % (bytes - sizeof head + 1);
  if (got->bytes != bytes) complain("an item of %zu bytes, not %zu", got->bytes, bytes);
  for (i = sizeof head; i < got->bytes; ++i) {
    if (item[i] != (unsigned char)(head.index ^ head.number)) {
      complain("bytes of an item from PE %ld changed", (long)got->from);
      break;
    }
  }
  return head;
}

/* The place that PE `from` draws as its k-th, as a number over all PEs. */
static uint64_t place_of(const settings* s, uint64_t key, int from, int64_t k) {
  return hash(key, (uint64_t)from, (uint64_t)k) % ((uint64_t)n_pes * (uint64_t)s->table_words);
}

/* Whether PE `from` asked this PE for that. */
static bool is_asked(const settings* s, uint64_t key, int64_t from, entry its) {
  const bool is_so = place_of(s, key, (int)from, its.number) == its.index * (uint64_t)n_pes + (uint64_t)me;
  if (!is_so) {
    complain("item %lu from PE %ld has another place than %lu", (unsigned long)its.number, (long)from,
             (unsigned long)its.index);
  }
  return is_so;
}

static void histogram(const settings* s, convey_t* c, size_t item_size, uint64_t key) {
  const int64_t n_mine = s->load * n_pes;
  int64_t* counts = (int64_t*)calloc((size_t)s->table_words, sizeof *counts);
  unsigned char* item = (unsigned char*)malloc(item_size);
  const double begin = now();
  convey_item_t got = {0, NULL, -1};
  session its;
  int64_t k = 0;
  int pe;
  begin_session(&its, s, c, item_size, key);
  while (advance(&its, k == n_mine) != convey_DONE) {
    expect_before_limit(begin, "histogram");
    for (; k < n_mine; ++k) {
      const uint64_t place = place_of(s, key, me, k);
      const size_t bytes = write_entry(&its, item, (uint32_t)(place / (uint64_t)n_pes), (uint32_t)k);
      if (!push(&its, bytes, item, (int64_t)(place % (uint64_t)n_pes))) break;
    }
    while (pull(&its, &got)) {
      const entry update = read_entry(&its, &got);
      if (is_asked(s, key, got.from, update)) ++counts[update.index];
    }
  }
  end_session(&its);
  for (pe = 0; pe < n_pes; ++pe) {
    for (k = 0; k < n_mine; ++k) {
      const uint64_t place = place_of(s, key, pe, k);
      if (place % (uint64_t)n_pes == (uint64_t)me) --counts[place / (uint64_t)n_pes];
    }
  }
  for (k = 0; k < s->table_words; ++k) {
    if (counts[k] != 0) complain("histogram: place %ld was updated %+ld times too often", (long)k, (long)counts[k]);
  }
  free(counts), free(item);
}

static uint32_t value_at(uint64_t key, uint64_t place) { return (uint32_t)hash(~key, place, 1); }

static void gather(const settings* s, convey_t* requests, convey_t* replies, size_t item_size, uint64_t key) {
  const int64_t n_mine = s->load * n_pes;
  uint32_t* table = (uint32_t*)malloc((size_t)s->table_words * sizeof *table);
  uint32_t* values = (uint32_t*)calloc((size_t)n_mine + 1, sizeof *values);
  unsigned char* n_replies = (unsigned char*)calloc((size_t)n_mine + 1, 1);
  unsigned char* item = (unsigned char*)malloc(item_size);
  const double begin = now();
  convey_item_t got = {0, NULL, -1};
  session asked, answered;
  int64_t k;
  int more;
  for (k = 0; k < s->table_words; ++k) table[k] = value_at(key, (uint64_t)(k * n_pes + me));
  begin_session(&asked, s, requests, item_size, key);
  begin_session(&answered, s, replies, item_size, key + 1);
  k = 0;
  while (more = advance(&asked, k == n_mine), more | advance(&answered, more == convey_DONE)) {
    expect_before_limit(begin, "index gather");
    for (; k < n_mine; ++k) {
      const uint64_t place = place_of(s, key, me, k);
      const size_t bytes = write_entry(&asked, item, (uint32_t)(place / (uint64_t)n_pes), (uint32_t)k);
      if (!push(&asked, bytes, item, (int64_t)(place % (uint64_t)n_pes))) break;
    }
    while (pull(&asked, &got)) {
      const entry request = read_entry(&asked, &got);
      size_t bytes;
      if (!is_asked(s, key, got.from, request)) continue;
      bytes = write_entry(&answered, item, table[request.index], request.number);
      if (push(&answered, bytes, item, got.from)) continue;
      unpull(&asked);
      break;
    }
    while (pull(&answered, &got)) {
      const entry reply = read_entry(&answered, &got);
      if (reply.number >= (uint64_t)n_mine) {
        complain("reply to question %lu", (unsigned long)reply.number);
      } else {
        values[reply.number] = reply.index;
        ++n_replies[reply.number];
      }
    }
  }
  end_session(&answered);
  end_session(&asked);
  for (k = 0; k < n_mine; ++k) {
    if (n_replies[k] != 1) complain("index gather: question %ld has %d replies", (long)k, (int)n_replies[k]);
    if (values[k] != value_at(key, place_of(s, key, me, k))) {
      complain("index gather: question %ld has a wrong reply", (long)k);
    }
  }
  free(table), free(values), free(n_replies), free(item);
}

#endif
