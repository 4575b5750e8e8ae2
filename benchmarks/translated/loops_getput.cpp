// The functions of test/translate/cases/loops_getput.cpp, written by hand as actors. Continues that file: translated_loops.py
// compiles both as one.
namespace by_hand {

using shoal::pe_id;

pe_id owner_of(int64_t index) { return static_cast<pe_id>(index % THREADS); }

struct query {
  int64_t index;
  int64_t slot;
};
struct reply {
  int64_t slot;
  int64_t value;
};

void histogram(const int64_t* index, int64_t n) {
  SHARED int64_t* counts = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* lcounts = lgp_local_part(int64_t, counts);
  std::fill_n(lcounts, n_of_pe, 0);
  shoal::actor counter{shoal::world_of_program(), [lcounts](int64_t slot) { ++lcounts[slot]; }};
  measured::finish([&] {
    for (int64_t i = 0; i < n; i++) counter.send(owner_of(index[i]), index[i] / THREADS);
  });
  T0_printf("histogram %ld\n", (long)0);
  const int64_t sum = sum_of(lcounts, n_of_pe);
  T0_printf("%ld\n", (long)sum);
  lgp_all_free(counts);
}

struct gatherer : shoal::selector<gatherer, query, reply> {
  gatherer(shoal::world& w, const int64_t* its_table, int64_t* its_target)
      : selector(w), table(its_table), target(its_target) {}

  void process(const query& q, pe_id from) { send(from, reply{q.slot, table[q.index]}); }
  void process(const reply& r) { target[r.slot] = r.value; }

  const int64_t* table;
  int64_t* target;
};

void index_gather(const int64_t* index, int64_t n) {
  SHARED int64_t* table = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* ltable = lgp_local_part(int64_t, table);
  int64_t* tgt = (int64_t*)malloc((size_t)n * sizeof(int64_t));
  for (int64_t i = 0; i < n_of_pe; i++) ltable[i] = 5 * (i * THREADS + MYTHREAD);
  gatherer answers{shoal::world_of_program(), ltable, tgt};
  measured::finish([&] {
    for (int64_t i = 0; i < n; i++) answers.send(owner_of(index[i]), query{index[i] / THREADS, i});
  });
  const int64_t sum = sum_of(tgt, n);
  T0_printf("gather %ld\n", (long)sum);
  free(tgt);
  lgp_all_free(table);
}

struct placement {
  int64_t index;
  int64_t row;
};

struct permuter : shoal::selector<permuter, placement, query, reply> {
  permuter(shoal::world& w, const int64_t* its_perm, int64_t* its_inverse)
      : selector(w), perm(its_perm), inverse(its_inverse) {}

  void process(const placement& p) { inverse[p.index] = p.row; }
  void process(const query& q, pe_id from) { send(from, reply{q.slot, perm[q.index]}); }
  void process(const reply& r) { n_right += r.value == r.slot * THREADS + MYTHREAD; }

  const int64_t* perm;
  int64_t* inverse;
  int64_t n_right = 0;
};

void permute() {
  SHARED int64_t* perm = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  SHARED int64_t* inverse = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  int64_t* lperm = lgp_local_part(int64_t, perm);
  int64_t* linverse = lgp_local_part(int64_t, inverse);
  for (int64_t i = 0; i < n_of_pe; i++) {
    lperm[i] = (7 * (i * THREADS + MYTHREAD) + 3) % (n_of_pe * THREADS + (n_of_pe * THREADS % 7 == 0));
    if (lperm[i] >= n_of_pe * THREADS) lperm[i] = 0;
  }
  permuter rows{shoal::world_of_program(), lperm, linverse};
  measured::finish([&] {
    for (int64_t i = 0; i < n_of_pe; i++)
      rows.send(owner_of(lperm[i]), placement{lperm[i] / THREADS, i * THREADS + MYTHREAD});
  });
  measured::finish([&] {
    for (int64_t i = 0; i < n_of_pe; i++) rows.send(owner_of(linverse[i]), query{linverse[i] / THREADS, i});
  });
  const int64_t all = lgp_reduce_add_l(rows.n_right);
  T0_printf("permute %ld\n", (long)all);
  lgp_all_free(inverse);
  lgp_all_free(perm);
}

// A message takes the next place in its row of the transpose. All places of a row are on the PE of its counter, which the loop
// does not say.
struct transposer : shoal::selector<transposer, placement> {
  transposer(shoal::world& w, int64_t* its_next, int64_t* its_rows) : selector(w), next(its_next), rows(its_rows) {}

  void process(const placement& p) {
    rows[next[p.index] / THREADS] = p.row;
    next[p.index] += THREADS;
  }

  int64_t* next;
  int64_t* rows;
};

void transpose(const int64_t* column, int64_t n) {
  SHARED int64_t* next = (int64_t*)lgp_all_alloc(n_of_pe * THREADS, sizeof(int64_t));
  SHARED int64_t* rows = (int64_t*)lgp_all_alloc(n_of_pe * THREADS * 64 * THREADS, sizeof(int64_t));
  int64_t* lnext = lgp_local_part(int64_t, next);
  int64_t* lrows = lgp_local_part(int64_t, rows);
  for (int64_t k = 0; k < n_of_pe; k++) lnext[k] = k * 64 * THREADS * THREADS + MYTHREAD;
  for (int64_t k = 0; k < n_of_pe * 64 * THREADS; k++) lrows[k] = -1;
  transposer entries{shoal::world_of_program(), lnext, lrows};
  measured::finish([&] {
    for (int64_t k = 0; k < n; k++)
      entries.send(owner_of(column[k]), placement{column[k] / THREADS, k / 4 * THREADS + MYTHREAD});
  });
  uint64_t sum = 0;
  for (int64_t k = 0; k < n_of_pe * 64 * THREADS; k++)
    if (lrows[k] >= 0) sum += mixed((uint64_t)(lrows[k] + 1000 * (k / (64 * THREADS))));
  const int64_t all = lgp_reduce_add_l((int64_t)(sum >> 12));
  T0_printf("transpose %ld\n", (long)all);
  lgp_all_free(rows);
  lgp_all_free(next);
}

// A row asks for another one, and gets its entries one by one.
struct triangle_counter : shoal::selector<triangle_counter, query, reply> {
  triangle_counter(shoal::world& w, const int64_t* its_offset, const int64_t* its_nonzero)
      : selector(w), offset(its_offset), nonzero(its_nonzero) {}

  void process(const query& q, pe_id from) {
    const int64_t end = offset[q.index + 1];
    for (int64_t j = offset[q.index]; j < end; j++) send(from, reply{q.slot, nonzero[j]});
  }
  void process(const reply& r) {
    const int64_t end = offset[r.slot + 1];
    for (int64_t l = offset[r.slot]; l < end; l++) count += nonzero[l] == r.value;
  }

  const int64_t* offset;
  const int64_t* nonzero;
  int64_t count = 0;
};

void triangles(const int64_t* column, int64_t n) {
  const int64_t degree = n / n_of_pe;
  SHARED int64_t* offset = (int64_t*)lgp_all_alloc((n_of_pe + 1) * THREADS, sizeof(int64_t));
  SHARED int64_t* nonzero = (int64_t*)lgp_all_alloc(n * THREADS, sizeof(int64_t));
  int64_t* loffset = lgp_local_part(int64_t, offset);
  int64_t* lnonzero = lgp_local_part(int64_t, nonzero);
  for (int64_t k = 0; k <= n_of_pe; k++) loffset[k] = k * degree;
  for (int64_t k = 0; k < n; k++) lnonzero[k] = column[k];
  triangle_counter counter{shoal::world_of_program(), loffset, lnonzero};
  measured::finish([&] {
    for (int64_t r = 0; r < n_of_pe; r++) {
      for (int64_t k = loffset[r]; k < loffset[r + 1]; k++)
        counter.send(owner_of(lnonzero[k]), query{lnonzero[k] / THREADS, r});
    }
  });
  const int64_t all = lgp_reduce_add_l(counter.count);
  T0_printf("triangles %ld\n", (long)all);
  lgp_all_free(nonzero);
  lgp_all_free(offset);
}

struct rank_reply {
  int64_t row;
  double rank;
};

struct ranker : shoal::selector<ranker, query, rank_reply> {
  ranker(shoal::world& w, const double* its_rank, double* its_next) : selector(w), rank(its_rank), next(its_next) {}

  void process(const query& q, pe_id from) { send(from, rank_reply{q.slot, rank[q.index]}); }
  void process(const rank_reply& r) { next[r.row] += r.rank; }

  const double* rank;
  double* next;
};

void page_rank(const int64_t* column, int64_t n) {
  const int64_t degree = n / n_of_pe;
  SHARED double* rank = (double*)lgp_all_alloc(n_of_pe * THREADS, sizeof(double));
  double* lrank = lgp_local_part(double, rank);
  double* next = (double*)malloc((size_t)n_of_pe * sizeof(double));
  std::fill_n(lrank, n_of_pe, 1);
  ranker ranks{shoal::world_of_program(), lrank, next};
  for (int round = 0; round < 3; round++) {
    std::fill_n(next, n_of_pe, 0);
    measured::finish([&] {
      for (int64_t r = 0; r < n_of_pe; r++) {
        for (int64_t k = r * degree; k < (r + 1) * degree; k++)
          ranks.send(owner_of(column[k]), query{column[k] / THREADS, r});
      }
    });
    for (int64_t r = 0; r < n_of_pe; r++) lrank[r] = 0.15 + 0.85 * next[r] / (double)degree;
  }
  int64_t sum = 0;
  for (int64_t r = 0; r < n_of_pe; r++) sum += (int64_t)(lrank[r] * 1000 + 0.5) * (r + 1);
  const int64_t all = lgp_reduce_add_l(sum);
  T0_printf("page rank %ld\n", (long)all);
  free(next);
  lgp_all_free(rank);
}

}  // namespace by_hand

// FORM FUNCTION
int main(int argc, char* argv[]) {
  lgp_init(argc, argv);
  const bool is_by_hand = argc > 1 && strcmp(argv[1], "by_hand") == 0;
  const std::string function = argc > 2 ? argv[2] : "";
  const int64_t n = 4 * n_of_pe;
  int64_t* index = wanted(n);
  const auto run = [&](const char* name, void (*translated)(const int64_t*, int64_t),
                       void (*own)(const int64_t*, int64_t)) {
    if (function == name) (is_by_hand ? own : translated)(index, n);
  };
  run("histogram", histogram, by_hand::histogram);
  run("index_gather", index_gather, by_hand::index_gather);
  if (function == "permute") is_by_hand ? by_hand::permute() : permute();
  run("transpose", transpose, by_hand::transpose);
  run("triangles", triangles, by_hand::triangles);
  run("page_rank", page_rank, by_hand::page_rank);
  T0_printf("seconds %.6f\n", measured::seconds());
  free(index);
  lgp_finalize();
  return 0;
}
