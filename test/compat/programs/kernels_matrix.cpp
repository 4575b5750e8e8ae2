// Kernels of HClib-Actor over matrices of spmat: permutation of rows and columns, transpose, topological sort. What
// they make is compared with what spmat makes.
#include <vector>

#include <selector.h>
#include <spmat.h>

#include "check.h"
#include "graphs.h"

namespace {

struct packet {
  int64_t row, col;
};

// The row's columns follow one another from its offset on.
class appending : public hclib::Selector<1, packet> {
  sparsemat_t* to_;
  std::vector<int64_t> n_written_;

public:
  explicit appending(sparsemat_t* to) : to_(to), n_written_(static_cast<size_t>(to->lnumrows)) {
    mb[0].process = [this](packet p, int) {
      to_->lnonzero[to_->loffset[p.row] + n_written_[static_cast<size_t>(p.row)]++] = p.col;
    };
  }
  bool is_complete() const {
    for (int64_t i = 0; i < to_->lnumrows; ++i) {
      if (n_written_[static_cast<size_t>(i)] != to_->loffset[i + 1] - to_->loffset[i]) return false;
    }
    return true;
  }
};

// A matrix of as many nonzeros in each row; their columns are still to come. Collective.
sparsemat_t* matrix_of_counts(int64_t n_rows, int64_t n_cols, const std::vector<int64_t>& counts) {
  int64_t sum = 0;
  for (const int64_t each : counts) sum += each;
  sparsemat_t* a = init_matrix(n_rows, n_cols, sum, 0);
  CHECK(a != NULL);
  a->loffset[0] = 0;
  for (size_t i = 0; i < counts.size(); ++i) a->loffset[i + 1] = a->loffset[i] + counts[i];
  return a;
}

// --- Permutation of a matrix

class moving_counts : public hclib::Selector<1, packet> {
public:
  std::vector<int64_t> counts;
  explicit moving_counts(int64_t n_rows_here) : counts(static_cast<size_t>(n_rows_here)) {
    mb[0].process = [this](packet p, int) { counts[static_cast<size_t>(p.row)] = p.col; };
  }
};

class relabeling : public hclib::Selector<2, packet> {
  int64_t* columns_; /* where this PE's go */
  int64_t* nonzeros_;

public:
  enum { REQUEST, REPLY };
  relabeling(int64_t* columns, int64_t* nonzeros) : columns_(columns), nonzeros_(nonzeros) {
    mb[REQUEST].process = [this](packet p, int from) { send(REPLY, {p.row, columns_[p.col]}, from); };
    mb[REPLY].process = [this](packet p, int) { nonzeros_[p.row] = p.col; };
  }
};

sparsemat_t* permute_matrix_selector(sparsemat_t* a, SHARED int64_t* rperminv, SHARED int64_t* cperminv) {
  const int64_t* rows = lgp_local_part(int64_t, rperminv);
  moving_counts counting(a->lnumrows);
  hclib::finish([&] {
    counting.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      counting.send({rows[i] / THREADS, a->loffset[i + 1] - a->loffset[i]}, static_cast<int>(rows[i] % THREADS));
    }
    counting.done();
  });
  sparsemat_t* result = matrix_of_counts(a->numrows, a->numcols, counting.counts);
  CHECK(result->nnz == a->nnz);

  appending moving(result);
  hclib::finish([&] {
    moving.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        moving.send({rows[i] / THREADS, a->lnonzero[k]}, static_cast<int>(rows[i] % THREADS));
      }
    }
    moving.done();
  });
  CHECK(moving.is_complete());

  relabeling labels(lgp_local_part(int64_t, cperminv), result->lnonzero);
  hclib::finish([&] {
    labels.start();
    for (int64_t k = 0; k < result->lnnz; ++k) {
      const int64_t col = result->lnonzero[k];
      labels.send(relabeling::REQUEST, {k, col / THREADS}, static_cast<int>(col % THREADS));
    }
    labels.done(relabeling::REQUEST);
  });
  lgp_barrier();
  return result;
}

SHARED int64_t* inverse(SHARED int64_t* perm, int64_t n) {
  SHARED int64_t* result = static_cast<int64_t*>(lgp_all_alloc(n, sizeof(int64_t)));
  for (int64_t i = MYTHREAD; i < n; i += THREADS) lgp_put_int64(result, lgp_get_int64(perm, i), i);
  lgp_barrier();
  return result;
}

void permutation(const options& its) {
  const int64_t n = its.n_rows();
  sparsemat_t* a = erdos_renyi_random_graph(n, its.edge_prob() / 2, DIRECTED, NOLOOPS, static_cast<uint64_t>(its.seed));
  SHARED int64_t* rows = rand_permp(n, static_cast<int>(its.seed) + 1);
  SHARED int64_t* columns = rand_permp(n, static_cast<int>(its.seed) + 2);
  const double begin = wall_seconds();
  sparsemat_t* permuted = permute_matrix_selector(a, rows, columns);
  print_time(its, "permute", begin);

  sparsemat_t* expected = permute_matrix(a, rows, columns);
  sort_nonzeros(permuted);
  CHECK(compare_matrix(permuted, expected) == 0);
  SHARED int64_t* rows_back = inverse(rows, n);
  SHARED int64_t* columns_back = inverse(columns, n);
  sparsemat_t* back = permute_matrix_selector(permuted, rows_back, columns_back);
  sort_nonzeros(back);
  sort_nonzeros(a);
  CHECK(compare_matrix(back, a) == 0);
  for (SHARED int64_t* each : {rows, columns, rows_back, columns_back}) lgp_all_free(each);
  for (sparsemat_t* each : {a, permuted, expected, back}) free_matrix(each);
}

// --- Transpose

sparsemat_t* transpose_matrix_selector(sparsemat_t* a) {
  class counting : public hclib::Actor<int64_t> {
  public:
    std::vector<int64_t> counts;
    explicit counting(int64_t n) : counts(static_cast<size_t>(n)) {
      mb[0].process = [this](int64_t col, int) { ++counts[static_cast<size_t>(col)]; };
    }
  } columns((a->numcols + THREADS - MYTHREAD - 1) / THREADS);
  hclib::finish([&] {
    columns.start();
    for (int64_t k = 0; k < a->lnnz; ++k) {
      columns.send(a->lnonzero[k] / THREADS, static_cast<int>(a->lnonzero[k] % THREADS));
    }
    columns.done();
  });
  sparsemat_t* result = matrix_of_counts(a->numcols, a->numrows, columns.counts);
  CHECK(result->nnz == a->nnz);

  appending moving(result);
  hclib::finish([&] {
    moving.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        moving.send({a->lnonzero[k] / THREADS, i * THREADS + MYTHREAD}, static_cast<int>(a->lnonzero[k] % THREADS));
      }
    }
    moving.done();
  });
  CHECK(moving.is_complete());
  lgp_barrier();
  return result;
}

void transpose(const options& its) {
  sparsemat_t* a =
      erdos_renyi_random_graph(its.n_rows(), its.edge_prob() / 2, DIRECTED, LOOPS, static_cast<uint64_t>(its.seed));
  const double begin = wall_seconds();
  sparsemat_t* transposed = transpose_matrix_selector(a);
  print_time(its, "transpose", begin);

  sparsemat_t* expected = transpose_matrix(a);
  sort_nonzeros(transposed);
  CHECK(compare_matrix(transposed, expected) == 0);
  sparsemat_t* back = transpose_matrix_selector(transposed);
  sort_nonzeros(back);
  CHECK(compare_matrix(back, a) == 0);
  for (sparsemat_t* each : {a, transposed, expected, back}) free_matrix(each);
}

// --- Topological sort: the row whose only column is left matches that column, and both leave the matrix.

struct step {
  uint64_t row; /* with the highest bit: global, and matched to the column */
  int64_t col, level;
};
constexpr uint64_t IS_MATCH = uint64_t(1) << 63;

class sorting : public hclib::Selector<1, step> {
  sparsemat_t *mat_, *tmat_;
  std::vector<int64_t> n_left_, sum_left_; /* by row */
  std::vector<int64_t> row_queue_;
  std::vector<step> column_queue_;

  void process(step s) {
    if ((s.row & IS_MATCH) != 0) {
      column_queue_.push_back({s.row & ~IS_MATCH, s.col, s.level});
      return;
    }
    sum_left_[s.row] -= s.col;
    level[s.row] = std::max(level[s.row], s.level + 1);
    if (--n_left_[s.row] == 1) row_queue_.push_back(static_cast<int64_t>(s.row));
  }

public:
  std::vector<int64_t> level, matched; /* by row */

  sorting(sparsemat_t* mat, sparsemat_t* tmat) : mat_(mat), tmat_(tmat) {
    for (int64_t i = 0; i < mat->lnumrows; ++i) {
      int64_t sum = 0;
      for (int64_t k = mat->loffset[i]; k < mat->loffset[i + 1]; ++k) sum += mat->lnonzero[k];
      sum_left_.push_back(sum);
      n_left_.push_back(mat->loffset[i + 1] - mat->loffset[i]);
      if (n_left_.back() == 1) row_queue_.push_back(i);
    }
    level.resize(n_left_.size());
    matched.resize(n_left_.size(), -1);
    mb[0].process = [this](step s, int) { process(s); };
  }

  // Until all rows and columns of this PE have left.
  void run() {
    size_t n_rows = 0, n_columns = 0;
    const size_t n_wanted = static_cast<size_t>(mat_->lnumrows + tmat_->lnumrows);
    while (n_rows + n_columns < n_wanted) {
      for (; n_rows < row_queue_.size(); ++n_rows) {
        const size_t row = static_cast<size_t>(row_queue_[n_rows]);
        const int64_t col = matched[row] = sum_left_[row];
        const uint64_t global = row * static_cast<uint64_t>(THREADS) + static_cast<uint64_t>(MYTHREAD);
        send({global | IS_MATCH, col, level[row]}, static_cast<int>(col % THREADS));
      }
      for (; n_columns < column_queue_.size(); ++n_columns) {
        const step s = column_queue_[n_columns];
        const int64_t col = s.col / THREADS;
        for (int64_t k = tmat_->loffset[col]; k < tmat_->loffset[col + 1]; ++k) {
          const int64_t row = tmat_->lnonzero[k];
          if (row == static_cast<int64_t>(s.row)) continue;
          send({static_cast<uint64_t>(row / THREADS), s.col, s.level}, static_cast<int>(row % THREADS));
        }
      }
      hclib::yield();
    }
    done(0);
  }
};

class placing : public hclib::Actor<packet> {
public:
  explicit placing(int64_t* columns) {
    mb[0].process = [columns](packet p, int) { columns[p.col] = p.row; };
  }
};

// Rows of later levels come first.
void positions(const sorting& its, int64_t n, SHARED int64_t* rperm, SHARED int64_t* cperm) {
  int64_t last_level = 0, total = 0;
  for (const int64_t each : its.level) last_level = std::max(last_level, each);
  last_level = lgp_reduce_max_l(last_level);
  std::vector<int64_t> start, sizes(static_cast<size_t>(last_level) + 1);
  for (const int64_t each : its.level) ++sizes[static_cast<size_t>(each)];
  for (const int64_t size : sizes) {
    start.push_back(total + lgp_prior_add_l(size));
    total += lgp_reduce_add_l(size);
  }
  CHECK(total == n);
  placing columns(lgp_local_part(int64_t, cperm));
  int64_t* const rows = lgp_local_part(int64_t, rperm);
  hclib::finish([&] {
    columns.start();
    for (size_t i = 0; i < its.level.size(); ++i) {
      const int64_t col = its.matched[i];
      rows[i] = n - 1 - start[static_cast<size_t>(its.level[i])]++;
      columns.send({rows[i], col / THREADS}, static_cast<int>(col % THREADS));
    }
    columns.done();
  });
  lgp_barrier();
}

void toposort(const options& its) {
  const int64_t n = its.n_rows();
  sparsemat_t* lower =
      erdos_renyi_random_graph(n, its.edge_prob() / 2, UNDIRECTED, LOOPS, static_cast<uint64_t>(its.seed));
  sparsemat_t* upper = transpose_matrix(lower);
  CHECK(is_upper_triangular(upper, 1) == 1);
  SHARED int64_t* rperm = rand_permp(n, 1234);
  SHARED int64_t* cperm = rand_permp(n, 5678);
  sparsemat_t* mat = permute_matrix(upper, rperm, cperm);
  sparsemat_t* tmat = transpose_matrix(mat);
  CHECK(is_upper_triangular(mat, 1) == 0);

  for (int64_t i = MYTHREAD; i < n; i += THREADS) rperm[i / THREADS] = cperm[i / THREADS] = -1;
  lgp_barrier();
  const double begin = wall_seconds();
  sorting kernel(mat, tmat);
  hclib::finish([&] {
    kernel.start();
    kernel.run();
  });
  positions(kernel, n, rperm, cperm);
  print_time(its, "toposort", begin);

  CHECK(is_perm(rperm, n) == 1 && is_perm(cperm, n) == 1);
  sparsemat_t* sorted = permute_matrix(mat, rperm, cperm);
  CHECK(is_upper_triangular(sorted, 1) == 1);
  lgp_all_free(rperm);
  lgp_all_free(cperm);
  for (sparsemat_t* each : {lower, upper, mat, tmat, sorted}) free_matrix(each);
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [=] {
    const options its(argc, argv);
    permutation(its);
    transpose(its);
    toposort(its);
    lgp_barrier();
    PASSED();
  });
  return 0;
}
