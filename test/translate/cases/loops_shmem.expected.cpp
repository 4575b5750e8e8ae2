// Made from loops_shmem.cpp by shoal-translate 0.1.0: its loops with one-sided access send messages of selectors.
// Loops over one-sided access of OpenSHMEM, as one writes them first.
#include <algorithm>
#include <array>
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>
#include "shoal/actor/selector.hpp"
#include "shoal_world.h"

#define FOR_EACH(i, n) for (std::int64_t i = 0; i < (n); ++i)

namespace {

constexpr std::int64_t n_entries = 40;  // of each PE

std::uint64_t random_bits(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

std::int64_t* symmetric(std::int64_t n) {
  return static_cast<std::int64_t*>(shmem_malloc(static_cast<std::size_t>(n) * sizeof(std::int64_t)));
}

std::vector<std::int64_t> wanted_of(int me, int n_pes, std::int64_t n) {
  std::vector<std::int64_t> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random_bits(static_cast<std::uint64_t>(i * n_pes + me + 1));
    wanted.push_back(static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(n_entries * n_pes)));
  }
  return wanted;
}

std::int64_t checksum(const std::int64_t* of, std::int64_t n) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    sum += random_bits(static_cast<std::uint64_t>(of[i]) + static_cast<std::uint64_t>(i) * 77);
  return static_cast<std::int64_t>(sum >> 8);
}

void print(const char* what, std::int64_t number) {
  static std::int64_t mine;
  static std::int64_t all;
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  mine = number;
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, shmem_n_pes(), work, sync);
  if (shmem_my_pe() == 0) std::printf("%s %lld\n", what, static_cast<long long>(all));
  shmem_barrier_all();
}

// Updates without a result become one-way messages.
// [histogram]
void histogram(const std::vector<std::int64_t>& wanted) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const counts = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) counts[i] = 0;
  shmem_barrier_all();

  struct counts_increment {
    std::int64_t slot;
  };

  struct histogram_selector : shoal::selector<histogram_selector, counts_increment> {
    histogram_selector(shoal::world& home, std::int64_t* counts_here) : selector(home), counts(counts_here) {}

    void process(const counts_increment& m) { ++counts[m.slot]; }

    std::int64_t* counts;
  };

  histogram_selector messages{shoal::world_of_program(), counts};
  // Each update goes to the owner.
  shoal::world_of_program().finish([&] {
    for (const std::int64_t g : wanted) {
      const std::int64_t slot = g / n_pes;
      messages.send(static_cast<int>(g % n_pes), counts_increment{slot});
    }
  });
  print("histogram", checksum(counts, n_entries));
  shmem_free(counts);
}
// [/histogram]

// A read becomes a query with a reply.
void index_gather(const std::vector<std::int64_t>& wanted) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const table = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) table[i] = 3 * (i * n_pes + me);
  std::vector<std::int64_t> target(wanted.size());
  shmem_barrier_all();

  struct table_get {
    std::int64_t index;
    std::size_t i;
  };
  struct table_get_reply {
    std::int64_t value;
    std::size_t i;
  };

  struct index_gather_selector : shoal::selector<index_gather_selector, table_get, table_get_reply> {
    index_gather_selector(shoal::world& home, std::int64_t* table_here, std::vector<std::int64_t>& target_here)
        : selector(home), table(table_here), target(target_here) {}

    void process(const table_get& m, shoal::pe_id from) { send(from, table_get_reply{table[m.index], m.i}); }
    void process(const table_get_reply& m) {
      target[m.i] = m.value;  // the owner knows it
    }

    std::int64_t* table;
    std::vector<std::int64_t>& target;
  };

  index_gather_selector messages2{shoal::world_of_program(), table, target};
  shoal::world_of_program().finish([&] {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::int64_t g = wanted[i];
      messages2.send(static_cast<int>(g % n_pes), table_get{g / n_pes, i});
    }
  });
  print("index gather", checksum(target.data(), static_cast<std::int64_t>(target.size())));
  shmem_free(table);
}

// A permutation's inverse by puts, then what it permutes by gets.
void permute() {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const perm = symmetric(n_entries);
  std::int64_t* const inverse = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) perm[i] = (7 * (i * n_pes + me) + 3) % (n_entries * n_pes);
  shmem_barrier_all();

  struct inverse_put {
    std::int64_t index;
    std::int64_t value;
  };

  struct permute_selector : shoal::selector<permute_selector, inverse_put> {
    permute_selector(shoal::world& home, std::int64_t* inverse_here) : selector(home), inverse(inverse_here) {}

    void process(const inverse_put& m) { inverse[m.index] = m.value; }

    std::int64_t* inverse;
  };

  permute_selector messages3{shoal::world_of_program(), inverse};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i) {
      messages3.send(static_cast<int>(perm[i] % n_pes), inverse_put{perm[i] / n_pes, i * n_pes + me});
    }
  });
  std::int64_t n_right = 0;

  struct perm_get {
    std::int64_t index;
    std::int64_t i;
  };
  struct perm_get_reply {
    std::int64_t back;
    std::int64_t i;
  };

  struct permute_selector2 : shoal::selector<permute_selector2, perm_get, perm_get_reply> {
    permute_selector2(shoal::world& home, std::int64_t* perm_here, int n_pes_here, int me_here,
                      std::int64_t& n_right_here)
        : selector(home), perm(perm_here), n_pes(n_pes_here), me(me_here), n_right(n_right_here) {}

    void process(const perm_get& m, shoal::pe_id from) { send(from, perm_get_reply{perm[m.index], m.i}); }
    void process(const perm_get_reply& m) {
      if (m.back == m.i * n_pes + me) ++n_right;
    }

    std::int64_t* perm;
    int n_pes;
    int me;
    std::int64_t& n_right;
  };

  permute_selector2 messages4{shoal::world_of_program(), perm, n_pes, me, n_right};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i) {
      messages4.send(static_cast<int>(inverse[i] % n_pes), perm_get{inverse[i] / n_pes, i});
    }
  });
  print("permute", n_right);
  shmem_free(inverse);
  shmem_free(perm);
}

// The rest of an iteration goes on where its answer is, if it needs nothing of the PE that began it.
void transpose(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const next = symmetric(n_entries);
  std::int64_t* const rows = symmetric(n_entries * 64 * n_pes);
  for (std::int64_t i = 0; i < n_entries; ++i) next[i] = i * 64 * n_pes;
  for (std::int64_t i = 0; i < n_entries * 64 * n_pes; ++i) rows[i] = 0;
  // [transpose]
  shmem_barrier_all();

  struct next_increment {
    std::int64_t index;
    std::int64_t row;
  };
  struct rows_put {
    std::int64_t at;
    std::int64_t value;
  };

  struct transpose_selector : shoal::selector<transpose_selector, next_increment> {
    transpose_selector(shoal::world& home, std::int64_t* next_here, std::int64_t* rows_here)
        : selector(home), next(next_here), rows(rows_here) {}

    void process(const next_increment& m) {
      const std::int64_t at = next[m.index];
      ++next[m.index];
      process(rows_put{at, m.row + 1});
    }
    void process(const rows_put& m) { rows[m.at] = m.value; }

    std::int64_t* next;
    std::int64_t* rows;
  };

  transpose_selector messages5{shoal::world_of_program(), next, rows};
  shoal::world_of_program().finish([&] {
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(columns.size()); ++k) {
      const std::int64_t row = k / 5 * n_pes + me;
      const int owner = static_cast<int>(columns[static_cast<std::size_t>(k)] % n_pes);
      messages5.send(owner, next_increment{columns[static_cast<std::size_t>(k)] / n_pes, row});
    }
  });
  // [/transpose]
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n_entries * 64 * n_pes; ++i) {
    if (rows[i] != 0)
      sum += random_bits(static_cast<std::uint64_t>(rows[i])) * static_cast<std::uint64_t>(i / (64 * n_pes) + 1);
  }
  print("transpose", static_cast<std::int64_t>(sum >> 8));
  shmem_free(rows);
  shmem_free(next);
}

// A chain of dependent reads, in a loop that the first of them bounds.
void triangles(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const offsets = symmetric(n_entries + 1);
  std::int64_t* const neighbours = symmetric(static_cast<std::int64_t>(columns.size()) + 1);
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  for (std::int64_t i = 0; i <= n_entries; ++i) offsets[i] = i * degree;
  for (std::int64_t i = 0; i < n_entries * degree; ++i) neighbours[i] = columns[static_cast<std::size_t>(i)];
  shmem_barrier_all();
  std::int64_t n_found = 0;

  struct offsets_get {
    std::int64_t index;
    std::int64_t c;
    std::int64_t r;
  };
  struct offsets_get2 {
    std::int64_t index;
    std::int64_t begin;
    std::int64_t r;
    shoal::pe_id origin;
  };
  struct neighbours_get {
    std::int64_t j;
    std::int64_t r;
    shoal::pe_id origin;
  };
  struct neighbours_get_reply {
    std::int64_t d;
    std::int64_t r;
  };

  struct triangles_selector : shoal::selector<triangles_selector, offsets_get, neighbours_get_reply> {
    triangles_selector(shoal::world& home, std::int64_t* offsets_here, std::int64_t* neighbours_here, int n_pes_here,
                       std::int64_t& n_found_here)
        : selector(home),
          offsets(offsets_here),
          neighbours(neighbours_here),
          n_pes(n_pes_here),
          n_found(n_found_here),
          own_pe(home.my_pe()) {}

    void process(const offsets_get& m, shoal::pe_id from) {
      const std::int64_t begin = offsets[m.index];
      process(offsets_get2{m.c / n_pes + 1, begin, m.r, from});
    }
    void process(const offsets_get2& m) {
      const std::int64_t end = offsets[m.index];
      for (std::int64_t j = m.begin; j < end; ++j) {
        process(neighbours_get{j, m.r, m.origin});
      }
    }
    void process(const neighbours_get& m) { pass_on(m.origin, neighbours_get_reply{neighbours[m.j], m.r}); }
    void process(const neighbours_get_reply& m) {
      for (std::int64_t l = offsets[m.r]; l < offsets[m.r + 1]; ++l) {
        if (neighbours[l] == m.d) ++n_found;
      }
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to, const neighbours_get_reply& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }

    std::int64_t* offsets;
    std::int64_t* neighbours;
    int n_pes;
    std::int64_t& n_found;
    shoal::pe_id own_pe;
  };

  triangles_selector messages6{shoal::world_of_program(), offsets, neighbours, n_pes, n_found};
  shoal::world_of_program().finish([&] {
    for (std::int64_t r = 0; r < n_entries; ++r) {
      for (std::int64_t k = offsets[r]; k < offsets[r + 1]; ++k) {
        const std::int64_t c = neighbours[k];
        const int owner = static_cast<int>(c % n_pes);
        messages6.send(owner, offsets_get{c / n_pes, c, r});
      }
    }
  });
  print("triangles", n_found + me - me);
  shmem_free(neighbours);
  shmem_free(offsets);
}

// Updates of all kinds, of an array that is symmetric because it is static. Their old values are used by nobody.
std::int64_t cells[n_entries];
std::int64_t bits;

void updates() {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  FOR_EACH(i, n_entries) cells[i] = 0;
  bits = 0;
  shmem_barrier_all();

  struct cells_add {
    std::int64_t i;
    std::int64_t value;
  };
  struct cells_add2 {
    std::int64_t i;
  };
  struct cells_increment {};
  struct bits_or {
    std::int64_t value;
  };

  struct updates_selector : shoal::selector<updates_selector, cells_add, cells_add2, cells_increment, bits_or> {
    explicit updates_selector(shoal::world& home) : selector(home) {}

    void process(const cells_add& m) { cells[m.i] += m.value; }
    void process(const cells_add2& m) { cells[m.i] += 2; }
    void process(const cells_increment&) { ++cells[0]; }
    void process(const bits_or& m) { bits |= m.value; }
  };

  updates_selector messages7{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    FOR_EACH(i, n_entries) {
      const int next = static_cast<int>((me + i) % n_pes);
      if (i % 3 == 0) continue;
      messages7.send(next, cells_add{i, i - 5});
      if (i % 2 == 0) {
        messages7.send(next, cells_add2{i});
      } else {
        messages7.send(me, cells_increment{});
      }
      messages7.send(next, bits_or{std::int64_t{1} << i % 7});
    }
  });
  print("updates", checksum(cells, n_entries) + bits);
}

// What one PE alone has goes back to it; a condition on an answer is a part of the rest.
void chains(const std::vector<std::int64_t>& wanted) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const next = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) next[i] = (i * 7 + 3) % (n_entries * n_pes);
  std::vector<std::int64_t> ends(wanted.size(), -1);
  std::int64_t n_odd = 0;
  std::int64_t position = 10;  // changes while answers are on their way
  shmem_barrier_all();

  struct next_get {
    std::int64_t index;
    std::int64_t position;
    std::size_t i;
  };
  struct next_get2 {
    std::int64_t index;
    std::int64_t position;
    std::int64_t first;
    std::size_t i;
    shoal::pe_id origin;
  };
  struct next_get3 {
    std::int64_t index;
    std::int64_t first;
    std::int64_t second;
    std::size_t i;
    shoal::pe_id origin;
  };
  struct next_get_reply {
    std::int64_t value;
    std::int64_t first;
    std::int64_t second;
    std::size_t i;
  };
  struct next_get4 {
    std::int64_t index;
    std::int64_t second;
    std::size_t i;
  };
  struct next_get_reply2 {
    std::int64_t last;
    std::int64_t second;
    std::size_t i;
  };

  struct chains_selector
      : shoal::selector<chains_selector, next_get, next_get2, next_get3, next_get_reply, next_get4, next_get_reply2> {
    chains_selector(shoal::world& home, std::int64_t* next_here, int n_pes_here, std::vector<std::int64_t>& ends_here,
                    std::int64_t& n_odd_here)
        : selector(home),
          next(next_here),
          n_pes(n_pes_here),
          ends(ends_here),
          n_odd(n_odd_here),
          own_pe(home.my_pe()) {}

    void process(const next_get& m, shoal::pe_id from) {
      const std::int64_t first = next[m.index];
      pass_on(static_cast<int>(first % n_pes), next_get2{first / n_pes, m.position, first, m.i, from});
    }
    void process(const next_get2& m) {
      const std::int64_t value = next[m.index];
      const std::int64_t second = value + m.position;
      pass_on(static_cast<int>(second % n_pes), next_get3{second % n_entries, m.first, second, m.i, m.origin});
    }
    void process(const next_get3& m) { pass_on(m.origin, next_get_reply{next[m.index], m.first, m.second, m.i}); }
    void process(const next_get_reply& m) {
      if (m.value % 2 == 1) {
        send(static_cast<int>(m.first % n_pes), next_get4{m.first / n_pes, m.second, m.i});
      } else {
        ++n_odd;
      }
    }
    void process(const next_get4& m, shoal::pe_id from) { send(from, next_get_reply2{next[m.index], m.second, m.i}); }
    void process(const next_get_reply2& m) {
      std::int64_t last = m.last;
      last = 3 * last + m.second;
      ends[m.i] = last;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to, const next_get2& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }
    void pass_on(shoal::pe_id to, const next_get3& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }
    void pass_on(shoal::pe_id to, const next_get_reply& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }

    std::int64_t* next;
    int n_pes;
    std::vector<std::int64_t>& ends;
    std::int64_t& n_odd;
    shoal::pe_id own_pe;
  };

  chains_selector messages8{shoal::world_of_program(), next, n_pes, ends, n_odd};
  shoal::world_of_program().finish([&] {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ++position;
      messages8.send(static_cast<int>(wanted[i] % n_pes), next_get{wanted[i] / n_pes, position, i});
    }
  });
  print("chains", checksum(ends.data(), static_cast<std::int64_t>(ends.size())) + n_odd + position);
  shmem_free(next);
}

// Sums of floating-point numbers depend on their order, so the program has to vouch for them.
void page_rank(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  auto* const rank = static_cast<double*>(shmem_malloc(n_entries * sizeof(double)));
  std::vector<double> next(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) rank[i] = 1;
  for (int round = 0; round < 3; ++round) {
    shmem_barrier_all();
    for (double& each : next) each = 0;

    struct rank_get {
      std::int64_t index;
      std::int64_t r;
      [[no_unique_address]] shoal::loop_turn turn;
    };
    struct rank_get_reply {
      double value;
      std::int64_t r;
    };

    struct page_rank_selector : shoal::selector<page_rank_selector, rank_get, rank_get_reply> {
      page_rank_selector(shoal::world& home, double* rank_here, std::vector<double>& next_here)
          : selector(home), rank(rank_here), next(next_here) {}

      void process(const rank_get& m, shoal::pe_id from) {
        check.reads(rank[m.index], m.turn);
        send(from, rank_get_reply{rank[m.index], m.r});
      }
      void process(const rank_get_reply& m) { next[static_cast<std::size_t>(m.r)] += m.value; }

      double* rank;
      std::vector<double>& next;
      [[no_unique_address]] shoal::loop_check check{"loops_shmem.cpp:231"};
    };

    page_rank_selector messages9{shoal::world_of_program(), rank, next};
    shoal::world_of_program().finish([&] {
      for (std::int64_t r = 0; r < n_entries; ++r) {
        const shoal::loop_turn turn = messages9.check.next();
        for (std::int64_t k = r * degree; k < (r + 1) * degree; ++k) {
          const std::int64_t c = columns[static_cast<std::size_t>(k)];
          messages9.send(static_cast<int>(c % n_pes), rank_get{c / n_pes, r, turn});
        }
      }
    });
    for (std::int64_t i = 0; i < n_entries; ++i)
      rank[i] = 0.15 + 0.85 * next[static_cast<std::size_t>(i)] / static_cast<double>(degree);
  }
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n_entries; ++i) sum += static_cast<std::int64_t>(rank[i] * 1000 + 0.5) * (i + 1);
  print("page rank", sum);
  shmem_free(rank);
}

// Rows of different lengths: nothing proves that their entries are different ones, so each loop needs its word.
void relabel(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const labels = symmetric(n_entries);
  std::vector<std::int64_t> begins = {0};
  for (std::int64_t i = 0; i < n_entries; ++i) {
    labels[i] = 11 * i + shmem_my_pe();
    begins.push_back(begins.back() + i % 6);
  }
  std::vector<std::int64_t> renamed(columns.size());
  shmem_barrier_all();

  struct labels_get {
    std::int64_t index;
    std::int64_t k;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct labels_get_reply {
    std::int64_t value;
    std::int64_t k;
  };

  struct relabel_selector : shoal::selector<relabel_selector, labels_get, labels_get_reply> {
    relabel_selector(shoal::world& home, std::int64_t* labels_here, std::vector<std::int64_t>& renamed_here)
        : selector(home), labels(labels_here), renamed(renamed_here) {}

    void process(const labels_get& m, shoal::pe_id from) {
      check.reads(labels[m.index], m.turn);
      send(from, labels_get_reply{labels[m.index], m.k});
    }
    void process(const labels_get_reply& m) { renamed[static_cast<std::size_t>(m.k)] = m.value; }

    std::int64_t* labels;
    std::vector<std::int64_t>& renamed;
    [[no_unique_address]] shoal::loop_check check{"loops_shmem.cpp:259"};
  };

  relabel_selector messages10{shoal::world_of_program(), labels, renamed};
  shoal::world_of_program().finish([&] {
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
      const shoal::loop_turn turn = messages10.check.next();
      for (std::int64_t k = begins[r]; k < begins[r + 1]; ++k) {
        const std::int64_t c = columns[static_cast<std::size_t>(k)];
        messages10.send(static_cast<int>(c % n_pes), labels_get{c / n_pes, k, turn});
      }
    }
  });
  print("relabel", checksum(renamed.data(), static_cast<std::int64_t>(renamed.size())));
  shmem_free(labels);
}

// Several elements at once: a put becomes a message that carries them; what a get reads comes with the answer.
void blocks(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  const std::int64_t n_rows = 10;
  const std::size_t width = 4;
  std::int64_t* const rows = symmetric(n_rows * n_pes * 4);
  std::int64_t* const found = symmetric(n_rows * n_pes);
  for (std::int64_t i = 0; i < n_rows * n_pes * 4; ++i) rows[i] = 0;
  for (std::int64_t i = 0; i < n_rows * n_pes; ++i) found[i] = 0;
  std::int64_t scratch[3];
  // [put_rows]
  shmem_barrier_all();

  struct rows_put2 {
    std::int64_t index;
    std::array<std::int64_t, 3> elements;
  };

  struct blocks_selector : shoal::selector<blocks_selector, rows_put2> {
    blocks_selector(shoal::world& home, std::int64_t* rows_here) : selector(home), rows(rows_here) {}

    void process(const rows_put2& m) { std::ranges::copy(m.elements, rows + m.index); }

    std::int64_t* rows;
  };

  blocks_selector messages11{shoal::world_of_program(), rows};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_rows; ++i) {
      for (std::int64_t k = 0; k < 3; ++k) scratch[k] = columns[static_cast<std::size_t>(3 * i + k)];
      {
        rows_put2 filled{(me * n_rows + i) * 4, {}};
        std::copy_n(scratch, 3, filled.elements.begin());
        messages11.send(static_cast<int>(i % n_pes), filled);
      }
      scratch[0] = -1;  // it is sent already
    }
  });
  // [/put_rows]
  print("put rows", checksum(rows, n_rows * n_pes * 4));
  // [get_rows]
  std::int64_t sum = 0;
  shmem_barrier_all();

  struct rows_get {
    std::int64_t index;
    std::int64_t i;
  };
  struct rows_get_reply {
    std::array<std::int64_t, 4> elements;
    std::int64_t i;
  };

  struct blocks_selector2 : shoal::selector<blocks_selector2, rows_get, rows_get_reply> {
    blocks_selector2(shoal::world& home, std::int64_t* rows_here, std::int64_t& sum_here)
        : selector(home), rows(rows_here), sum(sum_here) {}

    void process(const rows_get& m, shoal::pe_id from) {
      rows_get_reply filled{{}, m.i};
      std::copy_n(rows + m.index, 4, filled.elements.begin());
      send(from, filled);
    }
    void process(const rows_get_reply& m) {
      std::int64_t row[4];
      std::ranges::copy(m.elements, row);
      for (const std::int64_t each : row) sum += each * (m.i + 1);
    }

    std::int64_t* rows;
    std::int64_t& sum;
  };

  blocks_selector2 messages12{shoal::world_of_program(), rows, sum};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_rows; ++i) {
      messages12.send(static_cast<int>(i % n_pes), rows_get{(me * n_rows + i) * 4, i});
    }
  });
  // [/get_rows]
  print("get rows", sum);

  struct rows_get2 {
    std::int64_t index;
    std::int64_t at;
  };
  struct found_put {
    std::int64_t at;
    std::int64_t value;
  };

  struct blocks_selector3 : shoal::selector<blocks_selector3, rows_get2> {
    blocks_selector3(shoal::world& home, std::int64_t* rows_here, std::int64_t* found_here)
        : selector(home), rows(rows_here), found(found_here) {}

    void process(const rows_get2& m) {
      std::int64_t row[width];
      std::copy_n(rows + m.index, 4, row);
      process(found_put{m.at, row[0] + row[1] + row[2] + row[3]});
    }
    void process(const found_put& m) { found[m.at] = m.value; }

    std::int64_t* rows;
    std::int64_t* found;
  };

  blocks_selector3 messages13{shoal::world_of_program(), rows, found};
  // The rest needs nothing of this PE, so the elements stay where they are.
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_rows; ++i) {
      const int owner = static_cast<int>(i % n_pes);
      const std::int64_t at = me * n_rows + i;
      messages13.send(owner, rows_get2{at * 4, at});
    }
  });
  shmem_barrier_all();
  print("row sums", checksum(found, n_rows * n_pes));
  shmem_free(found);
  shmem_free(rows);
}

// As many as a variable says, or an answer.
void parts(std::int64_t width) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const sizes = symmetric(n_entries);
  std::int64_t* const places = symmetric(n_entries * n_pes * width);
  const std::int64_t n_places = n_entries * n_pes * width;
  for (std::int64_t i = 0; i < n_entries; ++i) sizes[i] = (i + me) % (width + 1);
  for (std::int64_t i = 0; i < n_places; ++i) places[i] = -i;
  const std::vector<std::int64_t> source(static_cast<std::size_t>(n_entries + width), 7 + me);
  std::vector<std::int64_t> copy(static_cast<std::size_t>(n_entries * width));
  std::vector<double> steps(n_entries);
  auto* const reals = static_cast<double*>(shmem_malloc(n_entries * sizeof(double)));
  for (std::int64_t i = 0; i < n_entries; ++i) reals[i] = 0.5 * static_cast<double>(i * (me + 1));
  shmem_barrier_all();

  struct places_put {
    std::int64_t index;
  };

  struct parts_selector : shoal::selector<parts_selector, shoal::list<places_put, std::int64_t>> {
    parts_selector(shoal::world& home, std::int64_t* places_here) : selector(home), places(places_here) {}

    void process(const shoal::list<places_put, std::int64_t>& m) {
      std::ranges::copy(m.elements, places + m.header.index);
    }

    std::int64_t* places;
  };

  parts_selector messages14{shoal::world_of_program(), places};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i) {
      messages14.send(static_cast<int>(i % n_pes),
                      shoal::list<places_put, std::int64_t>{
                          places_put{(me * n_entries + i) * width},
                          std::span<const std::int64_t>(source.data() + i, static_cast<std::size_t>(sizes[i]))});
    }
  });
  print("put parts", checksum(places, n_places));

  struct places_get {
    std::int64_t index;
    std::size_t count;
    std::int64_t i;
  };
  struct places_get_reply {
    std::int64_t i;
  };

  struct parts_selector2 : shoal::selector<parts_selector2, places_get, shoal::list<places_get_reply, std::int64_t>> {
    parts_selector2(shoal::world& home, std::int64_t* places_here, std::int64_t width_here,
                    std::vector<std::int64_t>& copy_here)
        : selector(home), places(places_here), width(width_here), copy(copy_here) {}

    void process(const places_get& m, shoal::pe_id from) {
      send(from, shoal::list<places_get_reply, std::int64_t>{places_get_reply{m.i},
                                                             std::span<const std::int64_t>(places + m.index, m.count)});
    }
    void process(const shoal::list<places_get_reply, std::int64_t>& m) {
      std::ranges::copy(m.elements, &copy[static_cast<std::size_t>(m.header.i * width)]);
    }

    std::int64_t* places;
    std::int64_t width;
    std::vector<std::int64_t>& copy;
  };

  parts_selector2 messages15{shoal::world_of_program(), places, width, copy};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i) {
      messages15.send(static_cast<int>(i % n_pes),
                      places_get{(me * n_entries + i) * width, static_cast<std::size_t>(width), i});
    }
  });
  shmem_barrier_all();
  print("get parts", checksum(copy.data(), n_entries * width));

  struct reals_get {
    std::int64_t i;
  };
  struct reals_get_reply {
    std::int64_t i;
  };

  struct parts_selector3 : shoal::selector<parts_selector3, reals_get, shoal::list<reals_get_reply, double>> {
    parts_selector3(shoal::world& home, double* reals_here, std::vector<double>& steps_here)
        : selector(home), reals(reals_here), steps(steps_here) {}

    void process(const reals_get& m, shoal::pe_id from) {
      send(from, shoal::list<reals_get_reply, double>{reals_get_reply{m.i}, std::span<const double>(reals + m.i, 20)});
    }
    void process(const shoal::list<reals_get_reply, double>& m) {
      std::ranges::copy(m.elements, &steps[static_cast<std::size_t>(m.header.i)]);
    }

    double* reals;
    std::vector<double>& steps;
  };

  parts_selector3 messages16{shoal::world_of_program(), reals, steps};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; i += 20) {
      messages16.send(static_cast<int>((i / 20 + me) % n_pes), reals_get{i});
    }
  });
  shmem_barrier_all();
  std::int64_t sum = 0;
  for (const double each : steps) sum += static_cast<std::int64_t>(2 * each);
  shmem_barrier_all();

  struct sizes_get {
    std::int64_t i;
    std::int64_t width;
    int me;
  };
  struct places_get2 {
    std::int64_t index;
    std::size_t count;
    std::int64_t size;
    std::int64_t i;
    shoal::pe_id origin;
  };
  struct places_get_reply2 {
    std::int64_t size;
    std::int64_t i;
  };

  struct parts_selector4 : shoal::selector<parts_selector4, sizes_get, shoal::list<places_get_reply2, std::int64_t>> {
    parts_selector4(shoal::world& home, std::int64_t* sizes_here, std::int64_t* places_here, int me_here,
                    std::int64_t width_here, std::int64_t& sum_here)
        : selector(home),
          sizes(sizes_here),
          places(places_here),
          me(me_here),
          width(width_here),
          sum(sum_here),
          own_pe(home.my_pe()) {}

    void process(const sizes_get& m, shoal::pe_id from) {
      const std::int64_t size = sizes[m.i];
      process(places_get2{(m.me * n_entries + m.i) * m.width, static_cast<std::size_t>(size), size, m.i, from});
    }
    void process(const places_get2& m) {
      pass_on(m.origin, shoal::list<places_get_reply2, std::int64_t>{
                            places_get_reply2{m.size, m.i}, std::span<const std::int64_t>(places + m.index, m.count)});
    }
    void process(const shoal::list<places_get_reply2, std::int64_t>& m) {
      std::vector<std::int64_t> part(static_cast<std::size_t>(m.header.size + 1), m.header.i);
      std::ranges::copy(m.elements, part.data());
      for (const std::int64_t each : part) sum += each;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to, const shoal::list<places_get_reply2, std::int64_t>& m) {
      if (to == own_pe) {
        process(m);
      } else {
        send(to, m);
      }
    }

    std::int64_t* sizes;
    std::int64_t* places;
    int me;
    std::int64_t width;
    std::int64_t& sum;
    shoal::pe_id own_pe;
  };

  parts_selector4 messages17{shoal::world_of_program(), sizes, places, me, width, sum};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i) {
      const int owner = static_cast<int>(i % n_pes);
      messages17.send(owner, sizes_get{i, width, me});
    }
  });
  print("parts", sum);
  shmem_free(reals);
  shmem_free(places);
  shmem_free(sizes);
}

}  // namespace

int main() {
  shmem_init();
  const std::vector<std::int64_t> wanted = wanted_of(shmem_my_pe(), shmem_n_pes(), 5 * n_entries);
  histogram(wanted);
  index_gather(wanted);
  permute();
  transpose(wanted);
  triangles(wanted);
  page_rank(wanted);
  updates();
  chains(wanted);
  relabel(wanted);
  blocks(wanted);
  parts(3);
  parts(0);
  shmem_finalize();
}
