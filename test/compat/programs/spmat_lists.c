/* Rows one nonzero at a time, dealt arrays, lists that grow, and orders. */
#include <spmat.h>

#include "check.h"

static void iterators(void) {
  const int64_t n = 25;
  sparsemat_t* a = erdos_renyi_random_graph(n, 0.3, DIRECTED, NOLOOPS, 8);
  nxnz_t *here = init_nxnz(a), *anywhere = init_nxnz(a);
  int64_t i, k, n_seen = 0;
  for (i = 0; i < a->lnumrows; ++i) {
    CHECK(rowcount_l(a, i) == a->loffset[i + 1] - a->loffset[i]);
    k = a->loffset[i];
    for (first_l_nxnz(here, i); has_l_nxnz(here, i); incr_l_nxnz(here, i)) {
      CHECK(k < a->loffset[i + 1] && here->col == a->lnonzero[k] && here->mat == a);
      ++k, ++n_seen;
    }
    CHECK(k == a->loffset[i + 1]);
  }
  CHECK(n_seen == a->lnnz);
  for (i = n_seen = 0; i < n; ++i) {
    for (k = 0, first_S_nxnz(anywhere, i); has_S_nxnz(anywhere, i); incr_S_nxnz(anywhere, i)) {
      CHECK(anywhere->col == lgp_get_int64(a->nonzero, (lgp_get_int64(a->offset, i) + k) * THREADS + i % THREADS));
      ++k, ++n_seen;
    }
    CHECK(k == rowcount_S(a, i));
  }
  CHECK(n_seen == a->nnz);
  lgp_barrier();
  clear_matrix(a);
  free(a), free(here), free(anywhere);
}

static void arrays(void) {
  const int64_t n = 3 * THREADS + 1;
  d_array_t *a = init_d_array(n), *b, *shorter = init_d_array(1);
  int64_t i;
  CHECK(a->num == n && a->lnum == 3 + (MYTHREAD == 0) && a->entry == a->lentry);
  set_d_array(a, 2.5);
  lgp_barrier();
  for (i = 0; i < n; ++i) CHECK(lgp_get_double(a->entry, i) == 2.5);
  b = copy_d_array(a);
  lgp_barrier();
  set_d_array(a, -1);
  for (i = 0; i < b->lnum; ++i) CHECK(b->lentry[i] == 2.5);
  CHECK(replace_d_array(b, a) == 1 && replace_d_array(b, shorter) == 0);
  for (i = 0; i < b->lnum; ++i) CHECK(b->lentry[i] == -1);
  clear_d_array(a), clear_d_array(b), clear_d_array(shorter);
  free(a), free(b), free(shorter);
}

static void lists(void) {
  edge_list_t *plain = init_edge_list(1, 0), *weighted = init_edge_list(0, 1);
  int64_t i;
  for (i = 0; i < 100; ++i) {
    CHECK(append_edge(plain, i, 2 * i) == i + 1 && append_weighted_edge(weighted, i, 3 * i, 0.5) == i + 1);
  }
  for (i = 0; i < 100; ++i) {
    CHECK(plain->edges[i].row == i && plain->edges[i].col == 2 * i);
    CHECK(weighted->wedges[i].row == i && weighted->wedges[i].col == 3 * i && weighted->wedges[i].val == 0.5);
  }
  CHECK(plain->num == 100 && plain->nalloc >= 100 && plain->wedges == NULL && weighted->edges == NULL);
  clear_edge_list(plain), clear_edge_list(weighted);
  free(plain), free(weighted);
}

static void triples(int weighted) {
  const int64_t nr = 17, nc = 11, me = MYTHREAD;
  triples_t* t = init_triples(nr, nc, 0, weighted);
  sparsemat_t* a;
  int64_t i, j, k;
  /* Each PE has some elements of all rows. */
  for (i = nr - 1; i >= 0; --i)
    for (j = nc - 1; j >= 0; --j)
      if ((i + j) % 3 != 0 && j % THREADS == me) append_triple(t, i, j, (double)(100 * i + j));
  a = triples_to_sparsemat(t);
  CHECK(a->numrows == nr && a->numcols == nc && (a->value != NULL) == weighted);
  for (i = me; i < nr; i += THREADS) {
    k = a->loffset[i / THREADS];
    for (j = 0; j < nc; ++j) {
      if ((i + j) % 3 == 0) continue;
      CHECK(k < a->loffset[i / THREADS + 1] && a->lnonzero[k] == j &&
            (!weighted || a->lvalue[k] == (double)(100 * i + j)));
      ++k;
    }
    CHECK(k == a->loffset[i / THREADS + 1]);
  }
  clear_triples(t), clear_matrix(a);
  free(t), free(a);
}

static void orders(void) {
  const int64_t a = 3, b = 4;
  const point_t p = {0.25, 0.5}, q = {0.25, 0.75};
  const col_val_t c = {1, 9}, d = {2, 8};
  const edge_t e = {1, 5}, f = {2, 1}, g = {1, 6};
  const w_edge_t h = {1, 5, 2}, i = {2, 1, 1};
  CHECK(nz_comp(&a, &b) < 0 && nz_comp(&b, &a) > 0 && nz_comp(&a, &a) == 0);
  CHECK(point_comp(&p, &q) < 0 && point_comp(&q, &p) > 0 && point_comp(&p, &p) == 0);
  CHECK(col_val_comp(&c, &d) < 0 && col_val_comp(&d, &c) > 0 && col_val_comp(&c, &c) == 0);
  CHECK(edge_comp(&e, &f) < 0 && edge_comp(&e, &g) < 0 && edge_comp(&f, &g) > 0 && edge_comp(&e, &e) == 0);
  CHECK(w_edge_comp(&h, &i) < 0 && w_edge_comp(&i, &h) > 0 && w_edge_comp(&h, &h) == 0);
}

int main(int argc, char** argv) {
  lgp_init(argc, argv);
  iterators();
  arrays();
  lists();
  triples(0);
  triples(1);
  orders();
  lgp_barrier();
  if (MYTHREAD == 0) printf("passed\n");
  lgp_finalize();
  return 0;
}
