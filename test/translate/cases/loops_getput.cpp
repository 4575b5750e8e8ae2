// Loops over libgetput's arrays, in the style of bale's kernels: variables are declared first.
#include <libgetput.h>
#include <stdio.h>
#include <stdlib.h>

namespace {

const int64_t n_of_pe = 30;

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

int64_t sum_of(const int64_t* local, int64_t n) {
  int64_t i;
  uint64_t sum = 0;
  for (i = 0; i < n; i++) sum += mixed((uint64_t)(local[i] + 100 * (i * THREADS + MYTHREAD)));
  return lgp_reduce_add_l((int64_t)(sum >> 12));
}

// Which entries the PE asks for.
int64_t* wanted(int64_t n) {
  int64_t i;
  int64_t* index = (int64_t*)malloc((size_t)n * sizeof(int64_t));
  for (i = 0; i < n; i++)
    index[i] = (int64_t)(mixed((uint64_t)(i * THREADS + MYTHREAD + 1)) % (uint64_t)(n_of_pe * THREADS));
  return index;
}

void histogram(const int64_t* __restrict index, int64_t n) {
  int64_t i;
  SHARED int64_t* counts = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* lcounts = lgp_local_part(int64_t, counts);
  for (i = 0; i < n_of_pe; i++) lcounts[i] = 0;
  lgp_barrier();
  for (i = 0; i < n; i++) lgp_atomic_add(counts, index[i], 1);
  lgp_barrier();
  T0_printf("histogram %ld\n", (long)0);
  const int64_t sum = sum_of(lcounts, n_of_pe);
  T0_printf("%ld\n", (long)sum);
  lgp_all_free(counts);
}

void index_gather(const int64_t* __restrict index, int64_t n) {
  int64_t i;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* tgt = (int64_t*)malloc((size_t)n * sizeof(int64_t));
  for (i = 0; i < n_of_pe; i++) ltable[i] = 5 * (i * THREADS + MYTHREAD);
  // [gather]
  lgp_barrier();
  for (i = 0; i < n; i++) {
    tgt[i] = lgp_get_int64(table, index[i]);
  }
  lgp_barrier();
  // [/gather]
  const int64_t sum = sum_of(tgt, n);
  T0_printf("gather %ld\n", (long)sum);
  free(tgt);
  lgp_all_free(table);
}

// A permutation's inverse by puts, then what it permutes by gets.
void permute() {
  int64_t i, row;
  SHARED int64_t* perm = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  SHARED int64_t* inverse = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* lperm = lgp_local_part(int64_t, perm);
  int64_t* linverse = lgp_local_part(int64_t, inverse);
  for (i = 0; i < n_of_pe; i++) {
    lperm[i] = (7 * (i * THREADS + MYTHREAD) + 3) % (n_of_pe * THREADS + (n_of_pe * THREADS % 7 == 0));
    if (lperm[i] >= n_of_pe * THREADS) lperm[i] = 0;
  }
  lgp_barrier();
  for (i = 0; i < n_of_pe; i++) {
    row = i * THREADS + MYTHREAD;
    lgp_put_int64(inverse, lperm[i], row);
  }
  lgp_barrier();
  int64_t n_right = 0, back;
  for (i = 0; i < n_of_pe; i++) {
    back = lgp_get_int64(perm, linverse[i]);
    if (back == i * THREADS + MYTHREAD) n_right++;
  }
  const int64_t all = lgp_reduce_add_l(n_right);
  T0_printf("permute %ld\n", (long)all);
  lgp_all_free(inverse);
  lgp_all_free(perm);
}

// Where a value goes depends on what another PE says.
void transpose(const int64_t* __restrict column, int64_t n) {
  int64_t k, pos;
  SHARED int64_t* next = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  SHARED int64_t* rows = (int64_t*)lgp_all_alloc(n_of_pe * THREADS * 64 * THREADS, sizeof(int64_t));
  int64_t* lnext = lgp_local_part(int64_t, next);
  int64_t* lrows = lgp_local_part(int64_t, rows);
  for (k = 0; k < n_of_pe; k++) lnext[k] = k * 64 * THREADS * THREADS + MYTHREAD;
  for (k = 0; k < n_of_pe * 64 * THREADS; k++) lrows[k] = -1;
  lgp_barrier();
  for (k = 0; k < n; k++) {
    pos = lgp_fetch_and_add(next, column[k], (int64_t)THREADS);
    lgp_put_int64(rows, pos, k / 4 * THREADS + MYTHREAD);
  }
  lgp_barrier();
  uint64_t sum = 0;
  for (k = 0; k < n_of_pe * 64 * THREADS; k++)
    if (lrows[k] >= 0) sum += mixed((uint64_t)(lrows[k] + 1000 * (k / (64 * THREADS))));
  const int64_t all = lgp_reduce_add_l((int64_t)(sum >> 12));
  T0_printf("transpose %ld\n", (long)all);
  lgp_all_free(rows);
  lgp_all_free(next);
}

void triangles(const int64_t* __restrict column, int64_t n) {
  int64_t r, k, c, begin, end, j, d, l;
  const int64_t degree = n / n_of_pe;
  SHARED int64_t* offset = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* nonzero = (int64_t*)lgp_all_alloc(n * THREADS, sizeof(int64_t));
  int64_t* loffset = lgp_local_part(int64_t, offset);
  int64_t* lnonzero = lgp_local_part(int64_t, nonzero);
  for (k = 0; k <= n_of_pe; k++) loffset[k] = k * degree;
  for (k = 0; k < n; k++) lnonzero[k] = column[k];
  lgp_barrier();
  int64_t count = 0;
  for (r = 0; r < n_of_pe; r++) {
    for (k = loffset[r]; k < loffset[r + 1]; k++) {
      c = lnonzero[k];
      begin = lgp_get_int64(offset, c);
      end = lgp_get_int64(offset, c + THREADS);
      for (j = begin; j < end; j++) {
        d = lgp_get_int64(nonzero, j * THREADS + c % THREADS);
        for (l = loffset[r]; l < loffset[r + 1]; l++) {
          if (lnonzero[l] == d) count++;
        }
      }
    }
  }
  lgp_barrier();
  const int64_t all = lgp_reduce_add_l(count);
  T0_printf("triangles %ld\n", (long)all);
  lgp_all_free(nonzero);
  lgp_all_free(offset);
}

// All elements that an iteration names lie on one PE: those THREADS apart, and those of a column by their row.
void columns(const int64_t* __restrict index, int64_t n) {
  int64_t i, c, row, next, last;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc((n_of_pe + 2) * THREADS, sizeof(int64_t));
  SHARED int64_t* counts = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* lcounts = lgp_local_part(int64_t, counts);
  for (i = 0; i < n_of_pe + 2; i++) ltable[i] = (i * 7 + MYTHREAD) % n_of_pe;
  for (i = 0; i < n_of_pe; i++) lcounts[i] = 0;
  lgp_barrier();
  for (i = 0; i < n; i++) {
    c = index[i];
    row = lgp_get_int64(table, c);
    next = lgp_get_int64(table, c + 2 * THREADS);
    last = lgp_get_int64(table, (row + 1) * THREADS + c % THREADS);
    // The place of this one is divided: nothing tells it from the place of the one before.
    lgp_atomic_add(counts, c, next - last);
    lgp_atomic_add(counts, c % THREADS + THREADS * (n_of_pe - 1 - row), i + 1);
  }
  lgp_barrier();
  const int64_t sum = sum_of(lcounts, n_of_pe);
  T0_printf("columns %ld\n", (long)sum);
  lgp_all_free(counts);
  lgp_all_free(table);
}

// Elements at a distance from the loop's own counter.
void neighbours() {
  int64_t i, own;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* sums = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* lsums = lgp_local_part(int64_t, sums);
  for (i = 0; i <= n_of_pe; i++) ltable[i] = i * i + MYTHREAD;
  for (i = 0; i < n_of_pe; i++) lsums[i] = 0;
  lgp_barrier();
  for (i = n_of_pe / 2; i < n_of_pe; i++) {
    own = lgp_get_int64(table, i) * (MYTHREAD + 1);
    lgp_atomic_add(sums, i + THREADS * (n_of_pe / 4), own);
  }
  lgp_barrier();
  const int64_t sum = sum_of(lsums, n_of_pe);
  T0_printf("neighbours %ld\n", (long)sum);
  lgp_all_free(sums);
  lgp_all_free(table);
}

void page_rank(const int64_t* __restrict column, int64_t n) {
  int64_t r, k, round;
  const int64_t degree = n / n_of_pe;
  SHARED double* rank = (double*)lgp_all_alloc(n_of_pe * THREADS, sizeof(double));
  double* lrank = lgp_local_part(double, rank);
  double* next = (double*)malloc((size_t)n_of_pe * sizeof(double));
  for (r = 0; r < n_of_pe; r++) lrank[r] = 1;
  for (round = 0; round < 3; round++) {
    lgp_barrier();
    for (r = 0; r < n_of_pe; r++) next[r] = 0;
    // The order of the sums is of no matter here.
#pragma shoal independent
    for (r = 0; r < n_of_pe; r++)
      for (k = r * degree; k < (r + 1) * degree; k++) next[r] += lgp_get_double(rank, column[k]);
    lgp_barrier();
    for (r = 0; r < n_of_pe; r++) lrank[r] = 0.15 + 0.85 * next[r] / (double)degree;
  }
  int64_t sum = 0;
  for (r = 0; r < n_of_pe; r++) sum += (int64_t)(lrank[r] * 1000 + 0.5) * (r + 1);
  const int64_t all = lgp_reduce_add_l(sum);
  T0_printf("page rank %ld\n", (long)all);
  free(next);
  lgp_all_free(rank);
}

// An index is one of the whole array; the elements follow it on its PE.
void pairs(const int64_t* __restrict index, int64_t n) {
  int64_t i;
  int64_t sum = 0;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* marks = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* lmarks = lgp_local_part(int64_t, marks);
  for (i = 0; i <= n_of_pe; i++) ltable[i] = 5 * (i * THREADS + MYTHREAD);
  for (i = 0; i <= n_of_pe; i++) lmarks[i] = 0;
  lgp_barrier();
  for (i = 0; i < n; i++) {
    int64_t pair[2];
    lgp_memget(pair, table, 2 * sizeof(int64_t), index[i]);
    sum += pair[0] * i + pair[1];
  }
  for (i = 0; i < n_of_pe; i += 2) {
    const int64_t both[2] = {i, MYTHREAD};
    lgp_memput(marks, both, sizeof(both), i * THREADS + MYTHREAD);
  }
  lgp_barrier();
  const int64_t all = lgp_reduce_add_l(sum) + sum_of(lmarks, n_of_pe);
  T0_printf("pairs %ld\n", (long)all);
  lgp_all_free(marks);
  lgp_all_free(table);
}

}  // namespace

int main(int argc, char* argv[]) {
  lgp_init(argc, argv);
  const int64_t n = 4 * n_of_pe;
  int64_t* index = wanted(n);
  histogram(index, n);
  index_gather(index, n);
  permute();
  transpose(index, n);
  triangles(index, n);
  columns(index, n);
  neighbours();
  page_rank(index, n);
  pairs(index, n);
  free(index);
  lgp_finalize();
  return 0;
}
