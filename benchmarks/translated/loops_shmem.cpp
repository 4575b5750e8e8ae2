// The functions of test/translate/cases/loops_shmem.cpp, written by hand as actors. Continues that file: translated_loops.py
// compiles both as one.
namespace by_hand {

using shoal::pe_id;

struct query {
  std::int64_t index;
  std::int64_t slot;
};
struct reply {
  std::int64_t slot;
  std::int64_t value;
};

void histogram(const std::vector<std::int64_t>& wanted) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const counts = symmetric(n_entries);
  std::fill_n(counts, n_entries, 0);
  shoal::actor counter{shoal::world_of_program(), [counts](std::int64_t slot) { ++counts[slot]; }};
  measured::finish([&] {
    for (const std::int64_t g : wanted) counter.send(static_cast<pe_id>(g % n_pes), g / n_pes);
  });
  print("histogram", checksum(counts, n_entries));
  shmem_free(counts);
}

struct gatherer : shoal::selector<gatherer, query, reply> {
  gatherer(shoal::world& w, const std::int64_t* its_table, std::int64_t* its_target)
      : selector(w), table(its_table), target(its_target) {}

  void process(const query& q, pe_id from) { send(from, reply{q.slot, table[q.index]}); }
  void process(const reply& r) { target[r.slot] = r.value; }

  const std::int64_t* table;
  std::int64_t* target;
};

void index_gather(const std::vector<std::int64_t>& wanted) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const table = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) table[i] = 3 * (i * n_pes + me);
  std::vector<std::int64_t> target(wanted.size());
  gatherer answers{shoal::world_of_program(), table, target.data()};
  measured::finish([&] {
    std::int64_t slot = 0;
    for (const std::int64_t g : wanted) answers.send(static_cast<pe_id>(g % n_pes), query{g / n_pes, slot++});
  });
  print("index gather", checksum(target.data(), static_cast<std::int64_t>(target.size())));
  shmem_free(table);
}

struct placement {
  std::int64_t index;
  std::int64_t row;
};

struct permuter : shoal::selector<permuter, placement, query, reply> {
  permuter(shoal::world& w, const std::int64_t* its_perm, std::int64_t* its_inverse, std::int64_t first,
           std::int64_t step)
      : selector(w), perm(its_perm), inverse(its_inverse), first_row(first), row_step(step) {}

  void process(const placement& p) { inverse[p.index] = p.row; }
  void process(const query& q, pe_id from) { send(from, reply{q.slot, perm[q.index]}); }
  void process(const reply& r) { n_right += r.value == r.slot * row_step + first_row; }

  const std::int64_t* perm;
  std::int64_t* inverse;
  std::int64_t first_row;
  std::int64_t row_step;
  std::int64_t n_right = 0;
};

void permute() {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const perm = symmetric(n_entries);
  std::int64_t* const inverse = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) perm[i] = (7 * (i * n_pes + me) + 3) % (n_entries * n_pes);
  permuter rows{shoal::world_of_program(), perm, inverse, me, n_pes};
  measured::finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i)
      rows.send(static_cast<pe_id>(perm[i] % n_pes), placement{perm[i] / n_pes, i * n_pes + me});
  });
  measured::finish([&] {
    for (std::int64_t i = 0; i < n_entries; ++i)
      rows.send(static_cast<pe_id>(inverse[i] % n_pes), query{inverse[i] / n_pes, i});
  });
  print("permute", rows.n_right);
  shmem_free(inverse);
  shmem_free(perm);
}

// A message takes the next place in its row of the transpose.
struct transposer : shoal::selector<transposer, placement> {
  transposer(shoal::world& w, std::int64_t* its_next, std::int64_t* its_rows)
      : selector(w), next(its_next), rows(its_rows) {}

  void process(const placement& p) { rows[next[p.index]++] = p.row + 1; }

  std::int64_t* next;
  std::int64_t* rows;
};

void transpose(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const next = symmetric(n_entries);
  std::int64_t* const rows = symmetric(n_entries * 64 * n_pes);
  for (std::int64_t i = 0; i < n_entries; ++i) next[i] = i * 64 * n_pes;
  std::fill_n(rows, n_entries * 64 * n_pes, 0);
  transposer entries{shoal::world_of_program(), next, rows};
  measured::finish([&] {
    std::int64_t k = 0;
    for (const std::int64_t column : columns)
      entries.send(static_cast<pe_id>(column % n_pes), placement{column / n_pes, k++ / 5 * n_pes + me});
  });
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n_entries * 64 * n_pes; ++i) {
    if (rows[i] != 0)
      sum += random_bits(static_cast<std::uint64_t>(rows[i])) * static_cast<std::uint64_t>(i / (64 * n_pes) + 1);
  }
  print("transpose", static_cast<std::int64_t>(sum >> 8));
  shmem_free(rows);
  shmem_free(next);
}

// A row asks for another one, and gets its entries one by one.
struct triangle_counter : shoal::selector<triangle_counter, query, reply> {
  triangle_counter(shoal::world& w, const std::int64_t* its_offsets, const std::int64_t* its_neighbours)
      : selector(w), offsets(its_offsets), neighbours(its_neighbours) {}

  void process(const query& q, pe_id from) {
    const std::int64_t end = offsets[q.index + 1];
    for (std::int64_t j = offsets[q.index]; j < end; ++j) send(from, reply{q.slot, neighbours[j]});
  }
  void process(const reply& r) {
    const std::int64_t end = offsets[r.slot + 1];
    for (std::int64_t l = offsets[r.slot]; l < end; ++l) n_found += neighbours[l] == r.value;
  }

  const std::int64_t* offsets;
  const std::int64_t* neighbours;
  std::int64_t n_found = 0;
};

void triangles(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const offsets = symmetric(n_entries + 1);
  std::int64_t* const neighbours = symmetric(static_cast<std::int64_t>(columns.size()) + 1);
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  for (std::int64_t i = 0; i <= n_entries; ++i) offsets[i] = i * degree;
  for (std::int64_t i = 0; i < n_entries * degree; ++i) neighbours[i] = columns[static_cast<std::size_t>(i)];
  triangle_counter counter{shoal::world_of_program(), offsets, neighbours};
  measured::finish([&] {
    for (std::int64_t r = 0; r < n_entries; ++r) {
      for (std::int64_t k = offsets[r]; k < offsets[r + 1]; ++k)
        counter.send(static_cast<pe_id>(neighbours[k] % n_pes), query{neighbours[k] / n_pes, r});
    }
  });
  print("triangles", counter.n_found);
  shmem_free(neighbours);
  shmem_free(offsets);
}

struct rank_reply {
  std::int64_t row;
  double rank;
};

struct ranker : shoal::selector<ranker, query, rank_reply> {
  ranker(shoal::world& w, const double* its_rank, double* its_next) : selector(w), rank(its_rank), next(its_next) {}

  void process(const query& q, pe_id from) { send(from, rank_reply{q.slot, rank[q.index]}); }
  void process(const rank_reply& r) { next[r.row] += r.rank; }

  const double* rank;
  double* next;
};

void page_rank(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  auto* const rank = static_cast<double*>(shmem_malloc(n_entries * sizeof(double)));
  std::vector<double> next(n_entries);
  std::fill_n(rank, n_entries, 1);
  ranker ranks{shoal::world_of_program(), rank, next.data()};
  for (int round = 0; round < 3; ++round) {
    std::fill(next.begin(), next.end(), 0);
    measured::finish([&] {
      for (std::int64_t r = 0; r < n_entries; ++r) {
        for (std::int64_t k = r * degree; k < (r + 1) * degree; ++k) {
          const std::int64_t c = columns[static_cast<std::size_t>(k)];
          ranks.send(static_cast<pe_id>(c % n_pes), query{c / n_pes, r});
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

}  // namespace by_hand

// FORM FUNCTION
int main(int argc, char** argv) {
  using wanted_entries = std::vector<std::int64_t>;
  shmem_init();
  const bool is_by_hand = argc > 1 && std::strcmp(argv[1], "by_hand") == 0;
  const std::string function = argc > 2 ? argv[2] : "";
  const wanted_entries wanted = wanted_of(shmem_my_pe(), shmem_n_pes(), 5 * n_entries);
  const auto run = [&](const char* name, void (*translated)(const wanted_entries&),
                       void (*own)(const wanted_entries&)) {
    if (function == name) (is_by_hand ? own : translated)(wanted);
  };
  run("histogram", histogram, by_hand::histogram);
  run("index_gather", index_gather, by_hand::index_gather);
  if (function == "permute") is_by_hand ? by_hand::permute() : permute();
  run("transpose", transpose, by_hand::transpose);
  run("triangles", triangles, by_hand::triangles);
  run("page_rank", page_rank, by_hand::page_rank);
  if (shmem_my_pe() == 0) std::printf("seconds %.6f\n", measured::seconds());
  shmem_finalize();
}
