// Loops over one-sided access to several elements that are easily translated wrongly. They print the same, however many stay.
#include <shmem.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using i64 = std::int64_t;
constexpr i64 n = 24;
i64 table[n * 4];
i64 target[n * 32];
i64 cells[n * 4];
i64 one;

int me() { return shmem_my_pe(); }
int n_pes() { return shmem_n_pes(); }

void print(const char* what, const i64* of, i64 size) {
  static i64 mine;
  static i64 all;
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  std::uint64_t sum = 0;
  for (i64 i = 0; i < size; ++i) sum = sum * 31 + static_cast<std::uint64_t>(of[i]);
  mine = static_cast<i64>(sum % 1000003);
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, n_pes(), work, sync);
  if (me() == 0) std::printf("%s %lld\n", what, static_cast<long long>(all));
  shmem_barrier_all();
}

void begin() {
  for (i64 i = 0; i < n * 4; ++i) {
    table[i] = (i * 7 + me() * 3 + 2) % n;
    cells[i] = i + me();
  }
  for (i64& each : target) each = 0;
  one = 0;
  shmem_barrier_all();
}
int to(i64 i) { return static_cast<int>(i % n_pes()); }

// 1: the destination is read behind the block.
void read_before() {
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 row[4] = {1, 2, 3, 4};
    if (i % 2 == 0) {
      shmem_int64_get(row, &table[i], 4, to(i));
    }
    sum += row[0] + row[3];
  }
  shmem_barrier_all();
  print("1 read before", &sum, 1);
}

// 2: two gets to one array.
void two_gets() {
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 row[4];
    shmem_int64_get(row, &table[i], 4, to(i));
    sum += row[0];
    shmem_int64_get(row, &table[i * 2], 3, to(i + 1));
    sum += row[1] * row[3];
  }
  shmem_barrier_all();
  print("2 two gets", &sum, 1);
}

// 3: what is put is changed by the next statement.
void overwritten() {
  i64 row[4] = {0, 0, 0, 0};
  for (i64 i = 0; i < n; ++i) {
    for (i64 k = 0; k < 4; ++k) row[k] = i * k + me();
    shmem_int64_put(&target[(me() % 8) * n * 4 + i * 4], row, 4, to(i));
    row[0] = -1;
    row[3] = -1;
  }
  shmem_barrier_all();
  print("3 overwritten", target, n * 32);
}

// 4: conditions.
void conditions() {
  std::vector<i64> seen(n * 2);
  for (i64 i = 0; i < n; ++i) {
    if (table[i] % 3 == 0) continue;
    std::array<i64, 2> pair;
    shmem_int64_get(pair.data(), &cells[i], 2, to(table[i]));
    if (pair[0] % 2 == 0) continue;
    seen[static_cast<std::size_t>(i)] = pair[0] + pair[1];
  }
  shmem_barrier_all();
  print("4 conditions", seen.data(), n * 2);
}

// 5: nested loops; the array is older than the inner one.
void nested() {
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 row[2];
    for (i64 k = 0; k < 3; ++k) {
      shmem_int64_get(row, &table[i + k], 2, to(i + k));
      sum += row[0] * row[1];
    }
  }
  shmem_barrier_all();
  print("5 nested", &sum, 1);
}

// 6: no elements, and as many as an answer says.
void counts_from_answers() {
  std::vector<i64> mine(n * n);
  for (i64 i = 0; i < n; ++i) {
    const i64 size = shmem_int64_g(&table[i], to(i)) % 3;
    shmem_int64_get(&mine[static_cast<std::size_t>(i * n)], &cells[i], static_cast<std::size_t>(size), to(i + 1));
  }
  shmem_barrier_all();
  print("6 counts", mine.data(), n * n);
}

// 7: the same, vouched.
void counts_vouched() {
  std::vector<i64> mine(n * n);
#pragma shoal independent
  for (i64 i = 0; i < n; ++i) {
    const i64 size = shmem_int64_g(&table[i], to(i)) % 3;
    shmem_int64_get(&mine[static_cast<std::size_t>(i * n)], &cells[i], static_cast<std::size_t>(size), to(i + 1));
  }
  shmem_barrier_all();
  print("7 vouched", mine.data(), n * n);
}

// 8: source and destination are one array.
void aliasing() {
  for (i64 i = 0; i + 1 < n; ++i) shmem_int64_put(&cells[i * 2 + 2], &cells[i * 2], 2, me());
  shmem_barrier_all();
  print("8 aliasing", cells, n * 4);
}
void aliased_get() {
  for (i64 i = 0; i + 1 < n; ++i) shmem_int64_get(&cells[i * 2], &cells[i * 2 + 1], 2, me());
  shmem_barrier_all();
  print("8 aliased get", cells, n * 4);
}

// 9: overlapping ranges of this PE.
void overlapping() {
  std::vector<i64> mine(n * 4);
  for (i64 i = 0; i < n; ++i) shmem_int64_get(&mine[static_cast<std::size_t>(i)], &table[i], 2, to(i));
  shmem_barrier_all();
  print("9 overlapping", mine.data(), n * 4);
}
void wider_than_steps() {
  std::vector<i64> mine(n * 4);
  for (i64 i = 0; i < n; ++i) shmem_int64_get(&mine[static_cast<std::size_t>(i * 2)], &table[i], 3, to(i));
  shmem_barrier_all();
  print("9 wider", mine.data(), n * 4);
}

// 10: a scratch array of all iterations, vouched for.
void scratch() {
  i64 row[4];
  std::vector<i64> seen(n);
#pragma shoal independent
  for (i64 i = 0; i < n; ++i) {
    shmem_int64_get(row, &table[i], 4, to(i));
    const i64 more = shmem_int64_g(&table[row[0]], to(row[1]));
    seen[static_cast<std::size_t>(i)] = more + row[2] * row[3];
  }
  shmem_barrier_all();
  print("10 scratch", seen.data(), n);
}

// 11: the variable changes after the call.
void changed_index() {
  std::vector<i64> mine(n * 8);
  i64 at = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 k = i;
    i64 row[2];
    shmem_int64_get(row, &table[k], 2, to(k));
    k += 3;
    at += 2;
    mine[static_cast<std::size_t>(i)] = row[0] * k + row[1];
  }
  shmem_barrier_all();
  mine[0] += at;
  print("11 changed", mine.data(), n * 8);
}
void counted_outside() {
  std::vector<i64> mine(n * 8);
  i64 at = 0;
#pragma shoal independent
  for (i64 i = 0; i < n; ++i) {
    at += 2;
    const i64 place = at;
    shmem_int64_get(&mine[static_cast<std::size_t>(place)], &table[i], 2, to(i));
  }
  shmem_barrier_all();
  print("11 outside", mine.data(), n * 8);
}

// 12: one variable as an array of one.
void single() {
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 x = 5;
    shmem_int64_get(&x, &table[i], 1, to(i));
    sum += x;
    shmem_int64_put(&target[i * 8 + me() % 8], &x, 1, to(i + 1));
  }
  shmem_barrier_all();
  print("12 single", &sum, 1);
  print("12 single put", target, n * 32);
}
void single_outside() {
  i64 sum = 0;
  i64 x = 5;
  for (i64 i = 0; i < n; ++i) {
    shmem_int64_get(&x, &table[i], 1, to(i));
    sum += x;
  }
  shmem_barrier_all();
  sum += x;
  print("12 outside", &sum, 1);
}

// 13: bytes.
void bytes() {
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) {
    i64 row[4];
    shmem_getmem(row, &table[i], sizeof row, to(i));
    shmem_putmem(&target[(me() % 8) * n * 4 + i * 4], row, sizeof(row[0]) * 3, to(i));
    sum += row[3];
  }
  shmem_barrier_all();
  print("13 bytes", &sum, 1);
  print("13 bytes put", target, n * 32);
}
void odd_bytes() {
  for (i64 i = 0; i < n; ++i) shmem_putmem(&target[i * 8 + me() % 8], &cells[i], 3, to(i));
  shmem_barrier_all();
  print("13 odd", target, n * 32);
}

// 14: temporaries, pointers.
void temporaries() {
  for (i64 i = 0; i < n; ++i)
    shmem_int64_put(&target[(me() % 8) * n * 4 + i * 4], std::array<i64, 2>{{i, 2 * i}}.data(), 2, to(i));
  shmem_barrier_all();
  print("14 temporaries", target, n * 32);
}
void pointers(const std::vector<i64>& from) {
  for (i64 i = 0; i < n; ++i) {
    const i64* const p = &from[static_cast<std::size_t>(i)];
    shmem_int64_put(&target[(me() % 8) * n * 4 + i * 4], p, 2, to(i));
  }
  shmem_barrier_all();
  print("14 pointers", target, n * 32);
}
void pointer_to_own() {
  for (i64 i = 0; i < n; ++i) {
    i64 row[3] = {i, 2, 3};
    i64* const p = row;
    p[1] = 5 * i;
    shmem_int64_put(&target[(me() % 8) * n * 4 + i * 4], p, 3, to(i));
    row[1] = 0;
  }
  shmem_barrier_all();
  print("14 own", target, n * 32);
}

// 15: an array of the iteration, named by what comes after the answer through a pointer.
void pointer_later() {
  std::vector<i64> seen(n);
  for (i64 i = 0; i < n; ++i) {
    i64 row[3];
    shmem_int64_get(row, &table[i], 3, to(i));
    const i64* const p = row + 1;
    seen[static_cast<std::size_t>(i)] = p[0] + p[1];
  }
  shmem_barrier_all();
  print("15 later", seen.data(), n);
}
void index_of_destination() {
  std::vector<i64> mine(n * 4);
  std::vector<i64> places(n);
  for (i64 i = 0; i < n; ++i) places[static_cast<std::size_t>(i)] = (n - 1 - i) * 2;
#pragma shoal independent
  for (i64 i = 0; i < n; ++i) {
    shmem_int64_get(&mine[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])], &table[i], 2, to(i));
    places[static_cast<std::size_t>(i)] = 0;
  }
  shmem_barrier_all();
  print("15 index", mine.data(), n * 4);
}

}  // namespace

int main() {
  shmem_init();
  for (void (*test)() : {read_before,
                         two_gets,
                         overwritten,
                         conditions,
                         nested,
                         counts_from_answers,
                         counts_vouched,
                         aliasing,
                         aliased_get,
                         overlapping,
                         wider_than_steps,
                         scratch,
                         changed_index,
                         counted_outside,
                         single,
                         single_outside,
                         bytes,
                         odd_bytes,
                         temporaries,
                         pointer_to_own,
                         pointer_later,
                         index_of_destination}) {
    begin();
    test();
  }
  begin();
  pointers(std::vector<i64>(n * 2, 8 + me()));
  shmem_finalize();
}
