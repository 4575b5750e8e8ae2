/* All PEs make random puts, atomics and gets on all PEs: elements, blocks from one byte to several buffers, strides, blocking
   and not, in the heap and in static variables. Each PE has a region of its own on every PE, and keeps a copy of what it must
   hold; calls of a PE on a PE are carried out in order, so every get has one right answer. All PEs add to common counters.
   Arguments: rounds, calls a round. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { n_pes_max = 16, heap_bytes = 160000, static_bytes = 4096, n_counters = 64, block_max = 100000 };

/* Builds with sanitizers do not share static variables. */
struct statics {
  unsigned char regions[n_pes_max][static_bytes];
  int64_t counters[n_counters];
  uint32_t small_counters[n_counters];
};
static struct statics in_program, *its = &in_program;
static unsigned char* in_heap;
static unsigned char* own_heap[n_pes_max]; /* what this PE's region on each PE holds */
static unsigned char own_static[n_pes_max][static_bytes];
static int64_t added[n_pes_max][n_counters];
static uint32_t small_added[n_pes_max][n_counters];
static int me, n;
static uint64_t state;

static uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

/* A place of `bytes` bytes in this PE's region on a PE, by this PE's address of it; and its copy. */
static unsigned char* place(int pe, size_t bytes, size_t align, unsigned char** copy) {
  size_t at;
  if (bytes <= static_bytes / 4 && draw(3) == 0) {
    at = draw(static_bytes - bytes + 1) / align * align;
    *copy = own_static[pe] + at;
    return its->regions[me] + at;
  }
  at = draw(heap_bytes - bytes + 1) / align * align;
  *copy = own_heap[pe] + at;
  return in_heap + (size_t)me * heap_bytes + at;
}

static unsigned char block[block_max], constant[block_max];
static unsigned char answers[64][1024];
static unsigned char expected[64][1024];
static size_t answer_bytes[64];
static int n_answers;
static int64_t olds[64], expected_olds[64];
static int n_olds;

static void settle(void) {
  int i;
  shmem_quiet();
  for (i = 0; i < n_answers; ++i) CHECK(memcmp(answers[i], expected[i], answer_bytes[i]) == 0);
  for (i = 0; i < n_olds; ++i) CHECK(olds[i] == expected_olds[i]);
  n_answers = n_olds = 0;
}

#define PUT_ONE(T, NAME)                                                    \
  do {                                                                      \
    T value = (T)draw(UINT64_MAX);                                          \
    T* at = (T*)(void*)place(pe, sizeof value, sizeof value, &copy);        \
    memcpy(copy, &value, sizeof value);                                     \
    shmem_##NAME##_p(at, value, pe);                                        \
  } while (0)

static void change_word(int pe) {
  unsigned char* copy;
  int64_t* at = (int64_t*)(void*)place(pe, 8, 8, &copy);
  int64_t was, is, value = (int64_t)draw(UINT64_MAX);
  memcpy(&was, copy, 8);
  if (n_olds == 64) settle();
  switch (draw(11)) {
    case 0: is = (int64_t)((uint64_t)was + (uint64_t)value), shmem_int64_atomic_add(at, value, pe); break;
    case 1: is = (int64_t)((uint64_t)was + 1), shmem_int64_atomic_inc(at, pe); break;
    case 2: is = was & value, shmem_int64_atomic_and(at, value, pe); break;
    case 3: is = was | value, shmem_int64_atomic_or(at, value, pe); break;
    case 4: is = was ^ value, shmem_int64_atomic_xor(at, value, pe); break;
    case 5: is = value, shmem_int64_atomic_set(at, value, pe); break;
    case 6:
      is = (int64_t)((uint64_t)was + (uint64_t)value);
      CHECK(shmem_int64_atomic_fetch_add(at, value, pe) == was);
      break;
    case 7:
      is = (int64_t)((uint64_t)was + (uint64_t)value);
      expected_olds[n_olds] = was;
      shmem_int64_atomic_fetch_add_nbi(&olds[n_olds++], at, value, pe);
      break;
    case 8:
      is = draw(2) ? value : was;
      expected_olds[n_olds] = was;
      shmem_int64_atomic_compare_swap_nbi(&olds[n_olds++], at, is == value ? was : ~was, value, pe);
      break;
    case 9:
      is = was;
      expected_olds[n_olds] = was;
      shmem_int64_atomic_fetch_nbi(&olds[n_olds++], at, pe);
      break;
    default:
      is = value;
      CHECK(shmem_int64_atomic_compare_swap(at, was, value, pe) == was);
      break;
  }
  memcpy(copy, &is, 8);
}

static size_t draw_bytes(void) {
  switch (draw(8)) {
    case 0: return 1 + draw(block_max);
    case 1:
    case 2: return 1 + draw(2000);
    default: return 1 + draw(40);
  }
}

static void call(void) {
  const int pe = (int)draw((uint64_t)n);
  unsigned char* copy;
  unsigned char* at;
  size_t bytes, i;
  switch (draw(16)) {
    case 0: PUT_ONE(int8_t, int8); break;
    case 1: PUT_ONE(int16_t, int16); break;
    case 2: PUT_ONE(int32_t, int32); break;
    case 3:
    case 4: PUT_ONE(int64_t, int64); break;
    case 5:
    case 6:
      bytes = draw_bytes();
      for (i = 0; i < bytes; ++i) block[i] = (unsigned char)draw(256);
      at = place(pe, bytes, 1, &copy);
      memcpy(copy, block, bytes);
      shmem_putmem(at, block, bytes, pe);
      memset(block, 0, bytes); /* may be used again */
      break;
    case 7:
      bytes = draw_bytes();
      at = place(pe, bytes, 1, &copy);
      memcpy(copy, constant, bytes);
      shmem_putmem_nbi(at, constant, bytes, pe); /* which keeps its value */
      break;
    case 8:
    case 9:
    case 10: change_word(pe); break;
    case 11: {
      const int c = (int)draw(n_counters);
      const int64_t value = (int64_t)draw(1000);
      shmem_int64_atomic_add(its->counters + c, value, pe);
      shmem_uint32_atomic_inc(its->small_counters + c, pe);
      added[pe][c] += value;
      ++small_added[pe][c];
      break;
    }
    case 12: {
      int32_t values[30];
      for (i = 0; i < 30; ++i) values[i] = (int32_t)draw(UINT32_MAX);
      at = place(pe, 4 * 3 * 15, 4, &copy);
      for (i = 0; i < 15; ++i) memcpy(copy + 4 * 3 * i, values + 2 * i, 4);
      shmem_int32_iput((int32_t*)(void*)at, values, 3, 2, 15, pe);
      break;
    }
    case 13:
      bytes = draw_bytes();
      at = place(pe, bytes, 1, &copy);
      shmem_getmem(block, at, bytes, pe);
      CHECK(memcmp(block, copy, bytes) == 0);
      break;
    case 14:
      if (n_answers == 64) settle();
      bytes = 1 + draw(draw(2) ? 8 : sizeof answers[0]);
      at = place(pe, bytes, 1, &copy);
      memcpy(expected[n_answers], copy, bytes);
      answer_bytes[n_answers] = bytes;
      shmem_getmem_nbi(answers[n_answers++], at, bytes, pe);
      break;
    default:
      switch (draw(4)) {
        case 0: settle(); break;
        case 1: shmem_fence(); break;
        default: {
          int64_t value;
          at = place(pe, 8, 8, &copy);
          memcpy(&value, copy, 8);
          CHECK(shmem_int64_g((int64_t*)(void*)at, pe) == value);
        }
      }
  }
}

static void compare_all(void) {
  static unsigned char seen[heap_bytes];
  int pe, c;
  for (pe = 0; pe < n; ++pe) {
    shmem_getmem(seen, in_heap + (size_t)me * heap_bytes, heap_bytes, pe);
    CHECK(memcmp(seen, own_heap[pe], heap_bytes) == 0);
    shmem_getmem(seen, its->regions[me], static_bytes, pe);
    CHECK(memcmp(seen, own_static[pe], static_bytes) == 0);
  }
  for (pe = 0; pe < n; ++pe) {
    int64_t all[n_counters];
    uint32_t all_small[n_counters];
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, all, added[pe], n_counters);
    shmem_uint32_sum_reduce(SHMEM_TEAM_WORLD, all_small, small_added[pe], n_counters);
    for (c = 0; pe == me && c < n_counters; ++c) CHECK(its->counters[c] == all[c] && its->small_counters[c] == all_small[c]);
  }
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  const int n_rounds = argc > 1 ? atoi(argv[1]) : 4;
  const int n_calls = argc > 2 ? atoi(argv[2]) : 2000;
  int round, i;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= n_pes_max);
  if (!shmem_addr_accessible(its, me)) its = shmem_calloc(1, sizeof *its);
  state = 88172645463325252u + (uint64_t)me * 1000003;
  for (i = 0; i < block_max; ++i) constant[i] = (unsigned char)(i * 7 + me);
  in_heap = shmem_calloc((size_t)n, heap_bytes);
  for (i = 0; i < n; ++i) CHECK((own_heap[i] = calloc(1, heap_bytes)) != NULL);
  for (round = 0; round < n_rounds; ++round) {
    for (i = 0; i < n_calls; ++i) call();
    if (round % 2 != 0) settle();
    shmem_barrier_all();
    settle();
    compare_all();
  }
  shmem_free(in_heap);
  PASSED();
  shmem_finalize();
  return 0;
}
