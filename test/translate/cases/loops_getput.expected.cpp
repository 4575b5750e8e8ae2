// Made from loops_getput.cpp by shoal-translate 0.1.0: its loops with one-sided access send messages of selectors.
// Loops over libgetput's arrays, in the style of bale's kernels: variables are declared first.
#include <algorithm>
#include <array>
#include <libgetput.h>
#include <stdio.h>
#include <stdlib.h>
#include "shoal/actor/selector.hpp"
#include "shoal_world.h"

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

  struct counts_add {
    std::int64_t index;
  };

  struct histogram_selector : shoal::selector<histogram_selector, counts_add> {
    histogram_selector(shoal::world& home, int64_t* counts_here, const int64_t* index_here)
        : selector(home), counts(counts_here), index(index_here) {}

    void process(const counts_add& m) { counts[m.index] += 1; }

    int64_t* counts;
    const int64_t* index;
  };

  histogram_selector messages{shoal::world_of_program(), counts, index};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n; i++) {
      const std::int64_t index2 = index[i];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages.send(owner, counts_add{index2 / THREADS});
    }
  });
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

  struct table_get {
    std::int64_t index;
    int64_t i;
  };
  struct table_get_reply {
    int64_t value;
    int64_t i;
  };

  struct index_gather_selector : shoal::selector<index_gather_selector, table_get, table_get_reply> {
    index_gather_selector(shoal::world& home, int64_t* table_here, const int64_t* index_here, int64_t* tgt_here)
        : selector(home), table(table_here), index(index_here), tgt(tgt_here) {}

    void process(const table_get& m, shoal::pe_id from) { send(from, table_get_reply{table[m.index], m.i}); }
    void process(const table_get_reply& m) { tgt[m.i] = m.value; }

    int64_t* table;
    const int64_t* index;
    int64_t* tgt;
  };

  index_gather_selector messages2{shoal::world_of_program(), table, index, tgt};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n; i++) {
      const std::int64_t index2 = index[i];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages2.send(owner, table_get{index2 / THREADS, i});
    }
  });
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

  struct inverse_put {
    std::int64_t index;
    int64_t row;
  };

  struct permute_selector : shoal::selector<permute_selector, inverse_put> {
    permute_selector(shoal::world& home, int64_t* inverse_here) : selector(home), inverse(inverse_here) {}

    void process(const inverse_put& m) { inverse[m.index] = m.row; }

    int64_t* inverse;
  };

  permute_selector messages3{shoal::world_of_program(), inverse};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n_of_pe; i++) {
      row = i * THREADS + MYTHREAD;
      const std::int64_t index2 = lperm[i];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages3.send(owner, inverse_put{index2 / THREADS, row});
    }
  });
  int64_t n_right = 0;

  struct perm_get {
    std::int64_t index;
    int64_t i;
  };
  struct perm_get_reply {
    int64_t back;
    int64_t i;
  };

  struct permute_selector2 : shoal::selector<permute_selector2, perm_get, perm_get_reply> {
    permute_selector2(shoal::world& home, int64_t* perm_here, int64_t& n_right_here)
        : selector(home), perm(perm_here), n_right(n_right_here) {}

    void process(const perm_get& m, shoal::pe_id from) { send(from, perm_get_reply{perm[m.index], m.i}); }
    void process(const perm_get_reply& m) {
      if (m.back == m.i * THREADS + MYTHREAD) n_right++;
    }

    int64_t* perm;
    int64_t& n_right;
  };

  permute_selector2 messages4{shoal::world_of_program(), perm, n_right};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n_of_pe; i++) {
      const std::int64_t index2 = linverse[i];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages4.send(owner, perm_get{index2 / THREADS, i});
    }
  });
  const int64_t all = lgp_reduce_add_l(n_right);
  T0_printf("permute %ld\n", (long)all);
  lgp_all_free(inverse);
  lgp_all_free(perm);
}

// Where a value goes depends on what another PE says.
void transpose(const int64_t* __restrict column, int64_t n) {
  int64_t k;
  SHARED int64_t* next = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  SHARED int64_t* rows = (int64_t*)lgp_all_alloc(n_of_pe * THREADS * 64 * THREADS, sizeof(int64_t));
  int64_t* lnext = lgp_local_part(int64_t, next);
  int64_t* lrows = lgp_local_part(int64_t, rows);
  for (k = 0; k < n_of_pe; k++) lnext[k] = k * 64 * THREADS * THREADS + MYTHREAD;
  for (k = 0; k < n_of_pe * 64 * THREADS; k++) lrows[k] = -1;
  lgp_barrier();

  struct next_add {
    std::int64_t index;
    int64_t k;
  };
  struct rows_put {
    std::int64_t index;
    int64_t value;
  };

  struct transpose_selector : shoal::selector<transpose_selector, next_add, rows_put> {
    transpose_selector(shoal::world& home, int64_t* next_here, int64_t* rows_here)
        : selector(home), next(next_here), rows(rows_here), own_pe(home.my_pe()) {}

    void process(const next_add& m, shoal::pe_id from) {
      const int64_t pos = next[m.index];
      next[m.index] += (int64_t)THREADS;
      pass_on(static_cast<shoal::pe_id>(pos % THREADS),
              rows_put{pos / THREADS, m.k / 4 * THREADS + static_cast<int>(from)});
    }
    void process(const rows_put& m) { rows[m.index] = m.value; }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to, const rows_put& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }

    int64_t* next;
    int64_t* rows;
    shoal::pe_id own_pe;
  };

  transpose_selector messages5{shoal::world_of_program(), next, rows};
  shoal::world_of_program().finish([&] {
    for (k = 0; k < n; k++) {
      const std::int64_t index2 = column[k];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages5.send(owner, next_add{index2 / THREADS, k});
    }
  });
  uint64_t sum = 0;
  for (k = 0; k < n_of_pe * 64 * THREADS; k++)
    if (lrows[k] >= 0) sum += mixed((uint64_t)(lrows[k] + 1000 * (k / (64 * THREADS))));
  const int64_t all = lgp_reduce_add_l((int64_t)(sum >> 12));
  T0_printf("transpose %ld\n", (long)all);
  lgp_all_free(rows);
  lgp_all_free(next);
}

void triangles(const int64_t* __restrict column, int64_t n) {
  int64_t r, k, c;
  const int64_t degree = n / n_of_pe;
  SHARED int64_t* offset = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* nonzero = (int64_t*)lgp_all_alloc(n * THREADS, sizeof(int64_t));
  int64_t* loffset = lgp_local_part(int64_t, offset);
  int64_t* lnonzero = lgp_local_part(int64_t, nonzero);
  for (k = 0; k <= n_of_pe; k++) loffset[k] = k * degree;
  for (k = 0; k < n; k++) lnonzero[k] = column[k];
  lgp_barrier();
  int64_t count = 0;

  struct offset_get {
    std::int64_t index;
    int64_t r;
  };
  struct offset_get2 {
    std::int64_t index;
    int64_t begin;
    int64_t r;
    shoal::pe_id origin;
  };
  struct nonzero_get {
    std::int64_t index;
    int64_t r;
    shoal::pe_id origin;
  };
  struct nonzero_get_reply {
    int64_t d;
    int64_t r;
  };

  struct triangles_selector : shoal::selector<triangles_selector, offset_get, nonzero_get_reply> {
    triangles_selector(shoal::world& home, int64_t* loffset_here, int64_t* lnonzero_here, int64_t* offset_here,
                       int64_t* nonzero_here, int64_t& count_here)
        : selector(home),
          loffset(loffset_here),
          lnonzero(lnonzero_here),
          offset(offset_here),
          nonzero(nonzero_here),
          count(count_here),
          own_pe(home.my_pe()) {}

    void process(const offset_get& m, shoal::pe_id from) {
      const int64_t begin = offset[m.index];
      process(offset_get2{m.index + 1, begin, m.r, from});
    }
    void process(const offset_get2& m) {
      const int64_t end = offset[m.index];
      int64_t j{};
      for (j = m.begin; j < end; j++) {
        process(nonzero_get{j, m.r, m.origin});
      }
    }
    void process(const nonzero_get& m) { pass_on(m.origin, nonzero_get_reply{nonzero[m.index], m.r}); }
    void process(const nonzero_get_reply& m) {
      int64_t l{};
      for (l = loffset[m.r]; l < loffset[m.r + 1]; l++) {
        if (lnonzero[l] == m.d) count++;
      }
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to, const nonzero_get_reply& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }

    int64_t* loffset;
    int64_t* lnonzero;
    int64_t* offset;
    int64_t* nonzero;
    int64_t& count;
    shoal::pe_id own_pe;
  };

  triangles_selector messages6{shoal::world_of_program(), loffset, lnonzero, offset, nonzero, count};
  shoal::world_of_program().finish([&] {
    for (r = 0; r < n_of_pe; r++) {
      for (k = loffset[r]; k < loffset[r + 1]; k++) {
        c = lnonzero[k];
        messages6.send(static_cast<shoal::pe_id>(c % THREADS), offset_get{c / THREADS, r});
      }
    }
  });
  const int64_t all = lgp_reduce_add_l(count);
  T0_printf("triangles %ld\n", (long)all);
  lgp_all_free(nonzero);
  lgp_all_free(offset);
}

// All elements that an iteration names lie on one PE: those THREADS apart, and those of a column by their row.
void columns(const int64_t* __restrict index, int64_t n) {
  int64_t i, c;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc((n_of_pe + 2) * THREADS, sizeof(int64_t));
  SHARED int64_t* counts = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* lcounts = lgp_local_part(int64_t, counts);
  for (i = 0; i < n_of_pe + 2; i++) ltable[i] = (i * 7 + MYTHREAD) % n_of_pe;
  for (i = 0; i < n_of_pe; i++) lcounts[i] = 0;
  lgp_barrier();

  struct table_get2 {
    std::int64_t index;
    int64_t c;
    int64_t i;
  };
  struct table_get3 {
    std::int64_t index;
    int64_t row;
    int64_t c;
    int64_t i;
  };
  struct table_get4 {
    std::int64_t index;
    int64_t c;
    int64_t next;
    int64_t row;
    int64_t i;
  };
  struct counts_add2 {
    std::int64_t index;
    int64_t value;
  };
  struct counts_add3 {
    std::int64_t index;
    int64_t value;
  };

  struct columns_selector : shoal::selector<columns_selector, table_get2> {
    columns_selector(shoal::world& home, const int64_t* index_here, int64_t* table_here, int64_t* counts_here)
        : selector(home), index(index_here), table(table_here), counts(counts_here) {}

    void process(const table_get2& m) {
      const int64_t row = table[m.index];
      process(table_get3{m.index + 2, row, m.c, m.i});
    }
    void process(const table_get3& m) {
      const int64_t next = table[m.index];
      process(table_get4{(m.row + 1), m.c, next, m.row, m.i});
    }
    void process(const table_get4& m) {
      const int64_t last = table[m.index];
      // The place of this one is divided: nothing tells it from the place of the one before.
      process(counts_add2{m.c / THREADS, m.next - last});
      process(counts_add3{(n_of_pe - 1 - m.row), m.i + 1});
    }
    void process(const counts_add2& m) { counts[m.index] += m.value; }
    void process(const counts_add3& m) { counts[m.index] += m.value; }

    const int64_t* index;
    int64_t* table;
    int64_t* counts;
  };

  columns_selector messages7{shoal::world_of_program(), index, table, counts};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n; i++) {
      c = index[i];
      messages7.send(static_cast<shoal::pe_id>(c % THREADS), table_get2{c / THREADS, c, i});
    }
  });
  const int64_t sum = sum_of(lcounts, n_of_pe);
  T0_printf("columns %ld\n", (long)sum);
  lgp_all_free(counts);
  lgp_all_free(table);
}

// Elements at a distance from the loop's own counter.
void neighbours() {
  int64_t i;
  SHARED int64_t* table = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* sums = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* lsums = lgp_local_part(int64_t, sums);
  for (i = 0; i <= n_of_pe; i++) ltable[i] = i * i + MYTHREAD;
  for (i = 0; i < n_of_pe; i++) lsums[i] = 0;
  lgp_barrier();

  struct table_get5 {
    std::int64_t index;
  };
  struct sums_add {
    std::int64_t index;
    int64_t own;
  };

  struct neighbours_selector : shoal::selector<neighbours_selector, table_get5> {
    neighbours_selector(shoal::world& home, int64_t* table_here, int64_t* sums_here)
        : selector(home), table(table_here), sums(sums_here) {}

    void process(const table_get5& m, shoal::pe_id from) {
      const int64_t value = table[m.index];
      int64_t own{};
      own = value * (static_cast<int>(from) + 1);
      process(sums_add{m.index + (n_of_pe / 4), own});
    }
    void process(const sums_add& m) { sums[m.index] += m.own; }

    int64_t* table;
    int64_t* sums;
  };

  neighbours_selector messages8{shoal::world_of_program(), table, sums};
  shoal::world_of_program().finish([&] {
    for (i = n_of_pe / 2; i < n_of_pe; i++) {
      messages8.send(static_cast<shoal::pe_id>(i % THREADS), table_get5{i / THREADS});
    }
  });
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

    struct rank_get {
      std::int64_t index;
      int64_t r;
      [[no_unique_address]] shoal::loop_turn turn;
    };
    struct rank_get_reply {
      double value;
      int64_t r;
    };

    struct page_rank_selector : shoal::selector<page_rank_selector, rank_get, rank_get_reply> {
      page_rank_selector(shoal::world& home, double* rank_here, double* next_here)
          : selector(home), rank(rank_here), next(next_here) {}

      void process(const rank_get& m, shoal::pe_id from) {
        check.reads(rank[m.index], m.turn);
        send(from, rank_get_reply{rank[m.index], m.r});
      }
      void process(const rank_get_reply& m) { next[m.r] += m.value; }

      double* rank;
      double* next;
      [[no_unique_address]] shoal::loop_check check{"loops_getput.cpp:207"};
    };

    page_rank_selector messages9{shoal::world_of_program(), rank, next};
    // The order of the sums is of no matter here.
    shoal::world_of_program().finish([&] {
      for (r = 0; r < n_of_pe; r++) {
        const shoal::loop_turn turn = messages9.check.next();
        for (k = r * degree; k < (r + 1) * degree; k++) {
          const std::int64_t index2 = column[k];
          const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
          messages9.send(owner, rank_get{index2 / THREADS, r, turn});
        }
      }
    });
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

  struct table_get6 {
    std::int64_t index;
    int64_t i;
  };
  struct table_get_reply2 {
    std::array<int64_t, 2> elements;
    int64_t i;
  };

  struct pairs_selector : shoal::selector<pairs_selector, table_get6, table_get_reply2> {
    pairs_selector(shoal::world& home, int64_t* table_here, const int64_t* index_here, int64_t& sum_here)
        : selector(home), table(table_here), index(index_here), sum(sum_here) {}

    void process(const table_get6& m, shoal::pe_id from) {
      table_get_reply2 filled{{}, m.i};
      std::copy_n(table + m.index, 2, filled.elements.begin());
      send(from, filled);
    }
    void process(const table_get_reply2& m) {
      int64_t pair[2];
      std::ranges::copy(m.elements, pair);
      sum += pair[0] * m.i + pair[1];
    }

    int64_t* table;
    const int64_t* index;
    int64_t& sum;
  };

  pairs_selector messages10{shoal::world_of_program(), table, index, sum};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n; i++) {
      const std::int64_t index2 = index[i];
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      messages10.send(owner, table_get6{index2 / THREADS, i});
    }
  });

  struct marks_put {
    std::int64_t index;
    std::array<int64_t, 2> elements;
  };

  struct pairs_selector2 : shoal::selector<pairs_selector2, marks_put> {
    pairs_selector2(shoal::world& home, int64_t* marks_here) : selector(home), marks(marks_here) {}

    void process(const marks_put& m) { std::ranges::copy(m.elements, marks + m.index); }

    int64_t* marks;
  };

  pairs_selector2 messages11{shoal::world_of_program(), marks};
  shoal::world_of_program().finish([&] {
    for (i = 0; i < n_of_pe; i += 2) {
      const int64_t both[2] = {i, MYTHREAD};
      const std::int64_t index2 = i * THREADS + MYTHREAD;
      const auto owner = static_cast<shoal::pe_id>(index2 % THREADS);
      marks_put filled{index2 / THREADS, {}};
      std::copy_n(both, 2, filled.elements.begin());
      messages11.send(owner, filled);
    }
  });
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
