// Loops over libgetput's arrays whose indices seem to name elements of one PE. However they are translated, they print the same.
#include <libgetput.h>
#include <stdio.h>
#include <stdlib.h>

#define TWO 1 + 1
#define NEXT(c) c + THREADS
#define ROW(r) (r) * THREADS

namespace {

const int64_t n_of_pe = 24;

struct arrays {
  int64_t* table;
  int64_t* hits;
  double* reals;
};

int64_t mine(int64_t i) { return (5 * i + 3 * MYTHREAD + 1) % ((n_of_pe - 8) * THREADS); }

void begin(const arrays& a) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    a.table[i] = (i * 7 + MYTHREAD * 3 + 2) % 5;
    a.hits[i] = 0;
    a.reals[i] = (double)(i + MYTHREAD) / 4;
  }
  lgp_barrier();
}

void print(const char* what, const int64_t* hits) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < n_of_pe; i++) sum = sum * 31 + (uint64_t)(hits[i] * (MYTHREAD + 1));
  const int64_t all = lgp_reduce_add_l((int64_t)(sum % 1000003));
  T0_printf("%s %ld\n", what, (long)all);
  lgp_barrier();
}

void variable_changes(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    c += found;
    lgp_atomic_add(hits, c + THREADS, found + 1);
  }
  lgp_barrier();
  print("changes", hits);
}

void variable_changes_in_a_branch(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    if (found % 2 == 0) c = found;
    lgp_atomic_add(hits, c + THREADS, found + 1);
  }
  lgp_barrier();
  print("branch", hits);
}

void variable_is_the_answer(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    int64_t c = mine(i);
    c = lgp_get_int64(table, c);
    lgp_atomic_add(hits, c + THREADS, 1 + i);
  }
  lgp_barrier();
  print("answer", hits);
}

void variable_is_a_counter_of_the_rest(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    for (c = 0; c < found; c++) lgp_atomic_add(hits, c + THREADS, 1 + i);
  }
  lgp_barrier();
  print("counter of the rest", hits);
}

void variable_is_a_counter(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe * THREADS / 2; i++) {
    const int64_t found = lgp_get_int64(table, i);
    lgp_atomic_add(hits, i + 2 * THREADS, found + MYTHREAD);
  }
  lgp_barrier();
  print("counter", hits);
}

void variable_goes_on(int64_t* __restrict table, int64_t* __restrict hits) {
  int64_t c = MYTHREAD;
  for (int64_t i = 0; i < n_of_pe / 2; i++) {
    c += 1;
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, c + THREADS, found + i);
  }
  lgp_barrier();
  print("goes on", hits);
}

// Not THREADS, whatever it is called.
void other_number(int64_t* __restrict table, int64_t* __restrict hits, const int64_t n_pes = THREADS) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, c + n_pes, found);
    lgp_atomic_add(hits, found * THREADS + c % n_pes, 1);
  }
  lgp_barrier();
  print("other number", hits);
}

void changed_number(int64_t* __restrict table, int64_t* __restrict hits) {
  int64_t n_pes = THREADS;
  n_pes++;
  const signed char few = (signed char)(THREADS + 255);
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, c + n_pes, found);
    lgp_atomic_add(hits, c + few, 7);
  }
  lgp_barrier();
  print("changed number", hits);
}

void number_by_another_name(int64_t* __restrict table, int64_t* __restrict hits) {
  const int64_t n_pes = THREADS;
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, found * n_pes + c % n_pes, found + i);
  }
  lgp_barrier();
  print("another name", hits);
}

void signs(int64_t* __restrict table, int64_t* __restrict hits) {
  const int64_t back = -2;
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i) + 3 * THREADS;
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, c - THREADS, found);
    lgp_atomic_add(hits, back * THREADS + c, 2);
    lgp_atomic_add(hits, c - (found - 5) * THREADS, 3);
    lgp_atomic_add(hits, c - (1 + 1) * THREADS + THREADS, 4);
    lgp_atomic_add(hits, THREADS * 6 - (1 - found) * THREADS - (THREADS - c % THREADS), 5);
    lgp_atomic_add(hits, c % THREADS - back * THREADS, 6);
    lgp_atomic_add(hits, 4 * THREADS - c % THREADS, 7);
    lgp_atomic_add(hits, c % THREADS + MYTHREAD * THREADS, 8);
    lgp_atomic_add(hits, c % THREADS, 9);
  }
  lgp_barrier();
  print("signs", hits);
}

// The variable itself is no index: its remainder is negative.
void negative_variable(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i) % (4 * THREADS) - 4 * THREADS;
    const int64_t found = lgp_get_int64(table, c + 5 * THREADS);
    lgp_atomic_add(hits, (found + 1) * THREADS + c % THREADS, found + 1);
    lgp_atomic_add(hits, c + 6 * THREADS, 1);
  }
  lgp_barrier();
  print("negative", hits);
}

void macros(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, NEXT(c), found);
    lgp_atomic_add(hits, c + TWO * THREADS, 3);
    lgp_atomic_add(hits, ROW(found) + c % THREADS, 5);
    lgp_atomic_add(hits, 2 * NEXT(c) - c, 7);
  }
  lgp_barrier();
  print("macros", hits);
}

void types(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int narrow = (int)c;
    const uint64_t wide = (uint64_t)c;
    const unsigned rows = (unsigned)(c % 3);
    const int64_t found = lgp_get_int64(table, c);
    lgp_atomic_add(hits, (signed char)(c + (256 / THREADS + 1) * THREADS), found);
    lgp_atomic_add(hits, (int64_t)(wide + (uint64_t)THREADS), 2);
    lgp_atomic_add(hits, narrow + THREADS, 3);
    lgp_atomic_add(hits, (int64_t)rows * THREADS + c % THREADS, 4);
    lgp_atomic_add(hits, (int64_t)(1.5 * THREADS) + c, 5);
    lgp_atomic_add(hits, (int64_t)(rows - 3U + 3U) * THREADS + c, 6);
  }
  lgp_barrier();
  print("types", hits);
}

void conversions(double* __restrict reals, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const unsigned c = (unsigned)mine(i);
    const double x = lgp_get_double(reals, c);
    lgp_atomic_add(hits, c + (int64_t)THREADS, (int64_t)(4 * x));
    lgp_atomic_add(hits, (int64_t)(c + (unsigned)THREADS), 2);
  }
  lgp_barrier();
  print("conversions", hits);
}

// An element is written where the next one is read, by the same iteration.
void chains(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t c = mine(i);
    const int64_t one = lgp_get_int64(table, c);
    const int64_t two = lgp_get_int64(table, c + one * THREADS);
    const int64_t m = mine(one);
    const int64_t three = lgp_get_int64(table, m);
    const int64_t index = two * THREADS + m % THREADS;
    lgp_atomic_add(hits, two * THREADS + m % THREADS, three);
    lgp_atomic_add(hits, index, 1);
    lgp_atomic_add(hits, c + one * THREADS + two * THREADS, 1 + MYTHREAD);
  }
  lgp_barrier();
  print("chains", hits);
}

// Which PE it is depends on what is read first, and on what is read there.
void two_variables(int64_t* __restrict table, int64_t* __restrict hits) {
  for (int64_t i = 0; i < n_of_pe; i++) {
    const int64_t a = mine(i);
    const int64_t b = mine(i + 1);
    const int64_t one = lgp_get_int64(table, a);
    const int64_t two = lgp_get_int64(table, b + THREADS);
    lgp_atomic_add(hits, a + THREADS, one);
    lgp_atomic_add(hits, b, two);
    lgp_atomic_add(hits, two * THREADS + a % THREADS, 1);
  }
  lgp_barrier();
  print("two", hits);
}

}  // namespace

int main(int argc, char* argv[]) {
  lgp_init(argc, argv);
  const arrays a = {(int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t)),
                    (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t)),
                    (double*)lgp_all_alloc(n_of_pe * THREADS, sizeof(double))};
  for (void (*test)(int64_t*, int64_t*) :
       {variable_changes, variable_changes_in_a_branch, variable_is_the_answer, variable_is_a_counter_of_the_rest,
        variable_is_a_counter, variable_goes_on, changed_number, number_by_another_name, signs, negative_variable,
        macros, types, chains, two_variables}) {
    begin(a);
    test(a.table, a.hits);
  }
  begin(a);
  conversions(a.reals, a.hits);
  begin(a);
  other_number(a.table, a.hits);
  begin(a);
  other_number(a.table, a.hits, 2);
  lgp_finalize();
  return 0;
}
