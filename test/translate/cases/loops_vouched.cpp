// Loops over one-sided access of OpenSHMEM for which the program vouches: right ones, and by their names wrong ones.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::int64_t n = 24;  // elements of each PE

std::int64_t places[n];  // of all elements of the job, each once
std::int64_t labels[n];
std::int64_t cells[n];
std::int64_t blocks[4 * n];
double weights[n];
std::uint64_t bits[5];

int n_pes() { return shmem_n_pes(); }
std::int64_t me() { return shmem_my_pe(); }
int to(std::int64_t g) { return static_cast<int>(g % n_pes()); }

void print(const char* what, std::int64_t number) {
  static std::int64_t mine;
  static std::int64_t all;
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  mine = number;
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, n_pes(), work, sync);
  if (me() == 0) std::printf("%s %lld\n", what, static_cast<long long>(all));
  shmem_barrier_all();
}

std::int64_t sum_of(const std::int64_t* of, std::int64_t many) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < many; ++i) sum = (3 * sum + of[i]) % 1000003;
  return sum;
}

void fill() {
  const std::int64_t all = n * n_pes();
  for (std::int64_t i = 0; i < n; ++i) {
    places[i] = (5 * (i * n_pes() + me()) + 1) % all;
    labels[i] = 0;
    cells[i] = -1;
    weights[i] = 1;
  }
  for (std::int64_t i = 0; i < 4 * n; ++i) blocks[i] = 4 * n * me() + i;
  shmem_barrier_all();
}

// Each place is put to once, and from there the number travels on.
void chain() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = shmem_int64_g(&places[i], to(i));
    if (i % n_pes() != me()) continue;
    shmem_int64_p(&labels[place / n_pes()], place + i, to(place));
    const std::int64_t next = shmem_int64_g(&places[(i + 1) % n], to(i));
    shmem_int64_p(&cells[next / n_pes()], static_cast<std::int64_t>(shmem_my_pe()) + next, to(next));
  }
  shmem_barrier_all();
  print("chain", sum_of(labels, n) + sum_of(cells, n));
}

// Turns update by one operation, and some use what was there before: any order of them is right.
void claims() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = shmem_int64_g(&places[i], to(i + 1));
    const std::int64_t at = shmem_int64_atomic_fetch_inc(&labels[place % 3], to(place));
    if (at < n) shmem_int64_p(&cells[at], 1, to(place));
    shmem_uint64_atomic_or(&bits[place % 5], static_cast<std::uint64_t>(place), to(place));
  }
  shmem_barrier_all();
  print("claims", sum_of(labels, n) + sum_of(cells, n) + static_cast<std::int64_t>(bits[0] + 5 * bits[4]));
}

// Turns put the same value.
void marks() {
  fill();
  std::int64_t i = 0;
#pragma shoal independent
  while (i < n)
    for (std::int64_t k = i++; k < n; k += 7) {
      const std::int64_t place = shmem_int64_g(&places[k], to(k));
      shmem_int64_p(&cells[place % 4], 7, to(place));
    }
  shmem_barrier_all();
  print("marks", sum_of(cells, n));
}

// Several elements, few and many.
void ranges(std::int64_t width) {
  fill();
  std::int64_t sum = 0;
#pragma shoal independent
  for (std::int64_t i = 0; i < n; i += 4) {
    std::int64_t pair[2];
    shmem_int64_get(pair, &blocks[i], 2, to(i + me()));
    sum += pair[0] - pair[1];
    pair[0] = i;
    shmem_int64_put(&blocks[2 * n + i], pair, 2, to(me() + 2));
    const std::int64_t place = shmem_int64_g(&places[i], to(me()));
    std::vector<std::int64_t> some(static_cast<std::size_t>(width), place);
    shmem_int64_put(&cells[i], some.data(), static_cast<std::size_t>(width), to(me() + 1));
  }
  shmem_barrier_all();
  print("ranges", sum_of(cells, n) + sum_of(blocks, 4 * n) + sum);
}

// A turn may do to its own elements what it likes.
void own() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t turn = shmem_int64_atomic_swap(&cells[i], i, to(me() + 1));
    const std::int64_t was = shmem_int64_atomic_compare_swap(&cells[i], i, turn + 5, to(me() + 1));
    shmem_int64_atomic_add(&cells[i], was, to(me() + 1));
    shmem_double_p(&weights[i], static_cast<double>(was) + 0.5, to(me() + 1));
  }
  shmem_barrier_all();
  print("own", sum_of(cells, n) + static_cast<std::int64_t>(weights[n - 1] * 2));
}

// A turn may read a level before or after another one puts it: both are right.
void levels() {
  fill();
#pragma shoal independent unchecked
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = shmem_int64_g(&places[i], to(i)) % n;
    if (shmem_int64_g(&cells[place], to(place)) < 0) shmem_int64_p(&cells[place], 1, to(place));
  }
  shmem_barrier_all();
  print("levels", sum_of(cells, n));
}

// Wrong: two turns put different numbers to one element.
void wrong_puts() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = shmem_int64_g(&places[i], to(me()));
    shmem_int64_p(&cells[place / 2 % n], place, 0);
  }
  shmem_barrier_all();
}

// Wrong: a turn reads what another one puts.
void wrong_reads() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    const std::int64_t before = shmem_int64_g(&cells[i], to(me()));
    shmem_int64_p(&cells[i + 1], before + 3, to(me()));
  }
  shmem_barrier_all();
}

// Wrong: sums and bits do not commute.
void wrong_updates() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t before = shmem_int64_atomic_fetch_add(&cells[0], i, 0);
    shmem_int64_atomic_xor(&cells[0], before, 0);
  }
  shmem_barrier_all();
}

// Wrong: ranges of two turns have an element in common.
void wrong_ranges() {
  fill();
#pragma shoal independent
  for (std::int64_t i = 0; i + 2 < n; ++i) {
    std::int64_t pair[2];
    shmem_int64_get(pair, &blocks[i], 2, to(me()));
    shmem_int64_put(&blocks[i + 2], pair, 2, to(me()));
  }
  shmem_barrier_all();
}

}  // namespace

int main(int argc, char** argv) {
  shmem_init();
  const char* const name = argc < 2 ? "" : argv[1];
  if (std::strcmp(name, "puts") == 0) wrong_puts();
  if (std::strcmp(name, "reads") == 0) wrong_reads();
  if (std::strcmp(name, "updates") == 0) wrong_updates();
  if (std::strcmp(name, "ranges") == 0) wrong_ranges();
  if (argc < 2) {
    chain();
    claims();
    marks();
    ranges(3);
    own();
    levels();
  }
  shmem_finalize();
}
