// Loops over one-sided access that are easily translated wrongly. Whether they are translated or stay, they print the same.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using i64 = std::int64_t;

constexpr i64 n = 24;
constexpr i64 value = 1000000;
i64 table[n];
i64 hits[n];
i64 cells[n];
double reals[n];

namespace inner {
i64 cells[n];
}

struct record {
  i64 x = 0;
  i64 y = 0;
};

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
  for (i64 i = 0; i < n; ++i) {
    table[i] = (i * 7 + me() * 3 + 2) % n;
    hits[i] = cells[i] = inner::cells[i] = 0;
    reals[i] = 0;
  }
  shmem_barrier_all();
}

void reference(i64& total) {
  for (i64 i = 0; i < n; ++i) total += shmem_int64_g(&table[i], static_cast<int>(i % n_pes()));
  shmem_barrier_all();
}

void condition_decides_about_a_value() {
  std::vector<i64> seen(n);
  for (i64 i = 0; i < n; ++i) {
    i64 best = 5 + i;
    const i64 found = shmem_int64_g(&table[i], static_cast<int>(i % n_pes()));
    if (found % 2 == 0) best = found;
    seen[static_cast<std::size_t>(i)] = best;
  }
  shmem_barrier_all();
  print("condition", seen.data(), n);
}

void continue_in_a_branch() {
  std::vector<i64> seen(n);
  for (i64 i = 0; i < n; ++i) {
    if (i % 3 != 0) {
      const i64 found = shmem_int64_g(&table[i], static_cast<int>(i % n_pes()));
      if (found % 2 == 0) continue;
    }
    seen[static_cast<std::size_t>(i)] = 1;
  }
  shmem_barrier_all();
  print("continue", seen.data(), n);
}

void the_pe_changes() {
  for (i64 i = 0; i < n; ++i) {
    int pe = static_cast<int>(i % n_pes());
    const i64 found = shmem_int64_g(&table[i], pe);
    pe = (pe + 1) % n_pes();
    shmem_int64_atomic_add(&hits[i], found * (me() + 1), pe);
  }
  shmem_barrier_all();
  print("pe", hits, n);
}

void place_of_each_pe() {
  i64* const mine = cells + me() % n;
  for (int pe = 0; pe < n_pes(); ++pe) shmem_int64_p(mine, 7 + me(), pe);
  shmem_barrier_all();
  print("place", cells, n);
}

void remainders() {
  i64 x = 1234567;
  for (i64 i = 0; i < n; ++i) x %= shmem_int64_g(&table[i], static_cast<int>(i % n_pes())) + 20000 - i * 700;
  shmem_barrier_all();
  print("remainders", &x, 1);
}

void truncated_sum() {
  i64 x = 0;
  for (i64 i = 0; i < n; ++i)
    x += static_cast<i64>(0.5 * static_cast<double>(shmem_int64_g(&table[i], static_cast<int>(i % n_pes()))));
  shmem_barrier_all();
  print("truncated", &x, 1);
}

void subscripts_of_records() {
  std::vector<record> records(n);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].x = static_cast<i64>(i) * 5;
  std::vector<i64> seen(n);
  for (i64 i = 0; i < n; ++i) {
    i64 k = 0;
    if (i % 2 == 1) k = shmem_int64_g(&table[i], static_cast<int>(i % n_pes()));
    seen[static_cast<std::size_t>(i)] = records[static_cast<std::size_t>(k)].x;
  }
  shmem_barrier_all();
  print("records", seen.data(), n);
}

void a_name_that_handlers_might_hide() {
  for (i64 i = 0; i < n; ++i) {
    const int pe = static_cast<int>(i % n_pes());
    shmem_int64_atomic_add(&hits[i], value + shmem_int64_g(&table[i], pe), pe);
  }
  shmem_barrier_all();
  print("hidden", hits, n);
}

void another_namespace() {
  for (i64 i = 0; i < n; ++i) {
    const i64 weight = 3;
    shmem_int64_atomic_add(&inner::cells[i], weight, static_cast<int>(i % n_pes()));
  }
  shmem_barrier_all();
  print("namespace", inner::cells, n);
}

void side_effects() {
  std::vector<i64> seen(n);
  int at = 0;
  for (i64 i = 0; i < n; ++i) {
    const i64 found = shmem_int64_g(&table[i], at++ % n_pes());
    seen[static_cast<std::size_t>(i)] = found * 100 + at;
  }
  shmem_barrier_all();
  print("effects", seen.data(), n);
}

void vouched() {
  // Its iterations do not depend on each other, but its statements do.
  i64 n_right = 0;
#pragma shoal independent
  for (i64 i = 0; i < n; ++i) {
    const int pe = static_cast<int>((i + me()) % n_pes());
    shmem_int64_atomic_add(&hits[(i * n_pes() + me()) % n], 0, pe);
    const i64 was = shmem_int64_atomic_fetch_add(&hits[(i * n_pes() + me()) % n], 0, pe);
    n_right += was == 0;
  }
  shmem_barrier_all();
  print("vouched", &n_right, 1);
}

void two_puts() {
  for (i64 i = 0; i < n; ++i) {
    shmem_int64_atomic_set(&cells[i], i + 1, static_cast<int>(i % n_pes()));
    shmem_int64_atomic_set(&cells[i], i + 2, static_cast<int>(i % n_pes()));
  }
  shmem_barrier_all();
  print("puts", cells, n);
}

void declared_first() {
  i64 i, k, found, last = 0;
  std::vector<i64> seen(n);
  for (i = 0; i < n; ++i) {
    found = shmem_int64_g(&table[i], static_cast<int>(i % n_pes()));
    for (k = 0; k < found % 4; ++k) seen[static_cast<std::size_t>(i)] += k * found;
  }
  shmem_barrier_all();
  for (i = 0; i < n; ++i) {
    found = shmem_int64_g(&table[n - 1 - i], static_cast<int>(i % n_pes()));
    if (i == n - 1) last = found;
  }
  shmem_barrier_all();
  seen[0] += last + found;
  print("first", seen.data(), n);
}

// The PE at the end of a chain of reads is told the number of the one that began it.
void own_number_travels() {
  std::vector<i64> wanted(n);
  for (i64 i = 0; i < n; ++i) wanted[static_cast<std::size_t>(i)] = (i * 5 + me()) % n;
  shmem_barrier_all();
  for (i64 i = 0; i < n; ++i) {
    const i64 start = wanted[static_cast<std::size_t>(i)];
    const i64 one = shmem_int64_g(&table[start], static_cast<int>(start % n_pes()));
    const i64 other = shmem_int64_g(&table[one], static_cast<int>(one % n_pes()));
    shmem_int64_atomic_add(&cells[other], 1 + 100 * shmem_my_pe(), static_cast<int>((other + shmem_my_pe()) % n_pes()));
  }
  shmem_barrier_all();
  print("own number", cells, n);
  for (i64 i = 0; i < n; ++i) {
    const int pe = static_cast<int>(i % n_pes());
    const i64 at = shmem_int64_atomic_fetch_inc(&hits[i % 3], pe);
    if (shmem_my_pe() % 2 == 0) shmem_int64_atomic_add(&inner::cells[at % n], i * shmem_my_pe() + 1, pe);
  }
  shmem_barrier_all();
  i64 sum = 0;
  for (i64 i = 0; i < n; ++i) sum += inner::cells[i];
  print("own number in a condition", &sum, 1);
}

void offset_in_bytes() {
  i64* const base = cells;
  for (i64 i = 0; i < 4; ++i)
    shmem_int64_p(reinterpret_cast<i64*>(reinterpret_cast<char*>(base) + 8 * i), 7 + i + me(), (me() + 1) % n_pes());
  shmem_barrier_all();
  print("offset in bytes", cells, n);
}

void put_at(i64* into) {
  for (i64 i = 0; i < 2; ++i) shmem_int64_p(&into[i], 100 * me() + i, (me() + 1) % n_pes());
  shmem_barrier_all();
}
void pointer_of_the_caller() {
  i64* const all = static_cast<i64*>(shmem_malloc(64 * sizeof(i64)));
  for (int i = 0; i < 64; ++i) all[i] = 0;
  i64* part = all;
  shmem_barrier_all();
  part += 2 * (me() % 8);
  put_at(part);
  print("pointer of the caller", all, 64);
  shmem_free(all);
}

i64 pool[64];
i64* init_matrix(int pe) { return pool + 4 * (pe % 8); }
void own_allocator() {
  i64* const mine = init_matrix(me());
  for (i64 i = 0; i < 4; ++i) shmem_int64_p(&mine[i], 10 * me() + i, (me() + 1) % n_pes());
  shmem_barrier_all();
  print("own allocator", pool, 64);
}

i64 with_number(i64 x, int pe = shmem_my_pe()) { return 2 * x + pe; }
void number_by_default() {
  for (i64 i = 0; i < n; ++i) {
    const i64 x = shmem_int64_g(&table[i], (me() + 1) % n_pes());
    shmem_int64_atomic_add(&cells[i], with_number(x), (me() + 1) % n_pes());
  }
  shmem_barrier_all();
  print("number by default", cells, n);
}

void named_origin() {
  std::vector<i64> seen(n);
  for (i64 i = 0; i < n; ++i) {
    const int origin = static_cast<int>((me() * 3 + i) % n_pes());
    const i64 x = shmem_int64_g(&table[i], (me() + 1) % n_pes());
    const i64 y = shmem_int64_g(&table[x], static_cast<int>((x + 1) % n_pes()));
    seen[static_cast<std::size_t>(i)] = 100 * x + 10 * y + origin;
  }
  shmem_barrier_all();
  print("named origin", seen.data(), n);
}

void constants_of_one_name() {
  i64 copy[n + 1] = {};
  for (i64 i = 0; i < n; ++i) {
    const int pe = i % 2 == 1 ? (me() + 1) % n_pes() : me();
    const i64 x = shmem_int64_g(&table[i], pe);
    {
      const i64 k = 0;
      copy[i + k] = x;
    }
    {
      const i64 k = 1;
      copy[i + k] = x + 5;
    }
  }
  shmem_barrier_all();
  print("constants of one name", copy, n + 1);
}

}  // namespace

int main() {
  shmem_init();
  i64 total = 0;
  begin();
  reference(total);
  print("reference", &total, 1);
  for (void (*test)() : {condition_decides_about_a_value,
                         continue_in_a_branch,
                         the_pe_changes,
                         place_of_each_pe,
                         remainders,
                         truncated_sum,
                         subscripts_of_records,
                         a_name_that_handlers_might_hide,
                         another_namespace,
                         side_effects,
                         two_puts,
                         vouched,
                         declared_first,
                         own_number_travels,
                         offset_in_bytes,
                         pointer_of_the_caller,
                         own_allocator,
                         number_by_default,
                         named_origin,
                         constants_of_one_name}) {
    begin();
    test();
  }
  begin();
  // The job ends before what is declared here.
  for (i64 i = 0; i < n; ++i) shmem_int64_atomic_add(&hits[i], i, static_cast<int>(i % n_pes()));
  shmem_barrier_all();
  print("the_job_ends", hits, n);
  shmem_finalize();
}
