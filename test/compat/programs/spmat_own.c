/* A program that brings functions of names of spmat's: it gets its own, and the others do not call them. */
#include <spmat.h>

#include "check.h"

sparsemat_t* init_matrix(int64_t numrows, int64_t numcols, int64_t lnnz, int weighted) {
  (void)numrows, (void)numcols, (void)lnnz, (void)weighted;
  return NULL;
}
int sort_nonzeros(sparsemat_t* a) { return a == NULL ? 41 : 42; }
SHARED int64_t* rand_permp_agi(int64_t n, int seed);
SHARED int64_t* rand_permp_agi(int64_t n, int seed) { return rand_permp_agp(n, seed); }
void lgp_rand_seed(int64_t seed) { (void)seed; }
double lgp_rand_double(void) { return 2; }

int main(int argc, char** argv) {
  sparsemat_t *a, *t;
  SHARED int64_t* perm;
  lgp_init(argc, argv);
  CHECK(init_matrix(1, 1, 1, 0) == NULL && sort_nonzeros(NULL) == 41);
  a = erdos_renyi_random_graph(50, 0.3, DIRECTED_WEIGHTED, LOOPS, 7);
  t = transpose_matrix(a);
  CHECK(a != NULL && t != NULL && a->nnz > 300 && t->nnz == a->nnz);
  perm = rand_permp_agi(50, 3);
  CHECK(is_perm(perm, 50));
  lgp_all_free(perm);
  clear_matrix(a), clear_matrix(t);
  free(a), free(t);
  PASSED();
  lgp_finalize();
  return 0;
}
