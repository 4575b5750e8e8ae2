/* Files of matrices. `write FOLDER` and `read FOLDER` may run on different numbers of PEs; `mm FILE` and `dataset
   FOLDER` read what the test has written, and print it. */
#include <spmat.h>

#include "check.h"

static const int64_t n_rows = 53, n_columns = 41;

static sparsemat_t* known(int weighted) {
  triples_t* t = init_triples(n_rows, n_columns, 10, weighted);
  sparsemat_t* a;
  int64_t i, j;
  for (i = MYTHREAD; i < n_rows; i += THREADS)
    for (j = 0; j < n_columns; ++j)
      if ((3 * i + 5 * j + i * j) % 7 == 0 && i % 4 != 1) append_triple(t, i, j, (double)(i - j) + 0.5);
  a = triples_to_sparsemat(t);
  clear_triples(t);
  free(t);
  return a;
}

static char* in(const char* folder, const char* name, int weighted) {
  static char paths[4][512];
  static int next = 0;
  char* path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s%d", folder, name, weighted);
  return path;
}

static void drop(sparsemat_t* a) {
  clear_matrix(a);
  free(a);
}

static void write_all(const char* folder, int weighted) {
  sparsemat_t* a = known(weighted);
  spmat_dataset_t* d;
  CHECK(write_matrix_mm(a, in(folder, "mm", weighted)) == 0);
  CHECK(write_sparse_matrix_agp(in(folder, "agp", weighted), a) == 0);
  CHECK(write_sparse_matrix_exstack(in(folder, "exstack", weighted), a, 3) == 0);
  d = open_sparse_matrix_write(in(folder, "pieces", weighted), a);
  CHECK(d->nwriters == THREADS && d->io_rank == MYTHREAD && d->nnz == a->nnz);
  CHECK(write_sparse_matrix_metadata(d) == 0);
  write_row_info(d, a);
  CHECK(lgp_reduce_add_l(d->lnumrows) == n_rows &&
        (d->lnumrows == 0 || d->rowcnt[0] == rowcount_S(a, d->global_first_row)));
  clear_spmat_dataset(d);
  free(d);
  lgp_barrier();
  drop(a);
}

/* Piece by piece: this PE's block of rows against the matrix. */
static void read_pieces(char* name, int64_t n_readers, sparsemat_t* a, int weighted) {
  spmat_dataset_t *about = read_sparse_matrix_metadata(name), *d = open_sparse_matrix_read(name, n_readers);
  int64_t columns[64], row, i, k, n, n_seen = 0, first;
  double values[64];
  CHECK(about->numrows == n_rows && about->numcols == n_columns && about->nnz == a->nnz && about->values == weighted);
  CHECK(lgp_reduce_add_l(d->io_rank >= 0) == (n_readers < THREADS ? n_readers : THREADS));
  first = d->global_first_row_to_me[0];
  CHECK(first == MYTHREAD);
  read_row_info(d);
  row = d->global_first_row;
  while ((n = read_nonzeros_buffer(d, columns, values, 64)) >= 0) {
    CHECK(n > 0);
    for (i = k = 0; i < n; ++i, ++row) {
      int64_t l, begin = lgp_get_int64(a->offset, row), end = lgp_get_int64(a->offset, row + THREADS);
      CHECK(d->rowcnt[row - d->global_first_row] == end - begin);
      for (l = begin; l < end; ++l, ++k, ++n_seen) {
        CHECK(columns[k] == lgp_get_int64(a->nonzero, l * THREADS + row % THREADS));
        CHECK(!weighted || values[k] == lgp_get_double(a->value, l * THREADS + row % THREADS));
      }
    }
  }
  CHECK(n == -1 && row == d->global_first_row + d->lnumrows && lgp_reduce_add_l(n_seen) == a->nnz);
  clear_spmat_dataset(about), clear_spmat_dataset(d);
  free(about), free(d);
}

static void read_all(const char* folder, int weighted) {
  sparsemat_t *a = known(weighted), *b;
  int64_t n_readers;
  b = read_matrix_mm_to_dist(in(folder, "mm", weighted));
  CHECK(compare_matrix(a, b) == 0);
  drop(b);
  for (n_readers = 1; n_readers <= THREADS + 1; ++n_readers) {
    b = read_sparse_matrix_agp(in(folder, "exstack", weighted), n_readers);
    CHECK(compare_matrix(a, b) == 0);
    drop(b);
    b = read_sparse_matrix_exstack(in(folder, "agp", weighted), n_readers, 2 + 100 * (n_readers % 2));
    CHECK(compare_matrix(a, b) == 0);
    drop(b);
    read_pieces(in(folder, "agp", weighted), n_readers, a, weighted);
  }
  lgp_barrier();
  drop(a);
}

int main(int argc, char** argv) {
  sparsemat_t* a = NULL;
  int weighted;
  lgp_init(argc, argv);
  CHECK(argc == 3);
  for (weighted = 0; weighted < 2; ++weighted) {
    if (strcmp(argv[1], "write") == 0) write_all(argv[2], weighted);
    if (strcmp(argv[1], "read") == 0) read_all(argv[2], weighted);
  }
  if (strcmp(argv[1], "mm") == 0) a = read_matrix_mm_to_dist(argv[2]);
  if (strcmp(argv[1], "dataset") == 0) a = read_sparse_matrix_agp(argv[2], 2);
  if (a != NULL) {
    int64_t k, sum = 0;
    double total = 0;
    for (k = 0; k < a->lnnz; ++k) {
      sum += a->lnonzero[k];
      if (a->lvalue != NULL) total += a->lvalue[k];
    }
    sum = lgp_reduce_add_l(sum);
    total = lgp_reduce_add_d(total);
    if (MYTHREAD == 0)
      printf("%d by %d, %d: columns %d, values %g\n", (int)a->numrows, (int)a->numcols, (int)a->nnz, (int)sum, total);
    drop(a);
  } else {
    lgp_barrier();
    if (MYTHREAD == 0) printf("passed\n");
  }
  lgp_finalize();
  return 0;
}
