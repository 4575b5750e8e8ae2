/* One wrong call, by the name of the argument: what ends the job with a line. */
#include <spmat.h>

#include "check.h"

int main(int argc, char** argv) {
  const int64_t n = 20;
  const char* what = argc > 1 ? argv[1] : "";
  sparsemat_t* a;
  SHARED int64_t *rows, *columns;
  lgp_init(argc, argv);
  a = erdos_renyi_random_graph(n, 0.5, DIRECTED, LOOPS, 3);
  rows = rand_permp(n, 1), columns = rand_permp(n, 2);
  if (strcmp(what, "columns") == 0 || strcmp(what, "columns_agp") == 0) {
    lgp_put_int64(columns, 0, n);
    lgp_barrier();
    what[7] == 0 ? permute_matrix(a, rows, columns) : permute_matrix_agp(a, rows, columns);
  }
  if (strncmp(what, "rows", 4) == 0) {
    lgp_put_int64(rows, 0, lgp_get_int64(rows, n - 1));
    lgp_barrier();
    if (strcmp(what, "rows_agp") == 0) permute_matrix_agp(a, rows, columns);
    if (strcmp(what, "rows_conveyor") == 0) permute_matrix_conveyor(a, rows, columns);
    if (strcmp(what, "rows_exstack") == 0) permute_matrix_exstack(a, rows, columns, 16);
    if (strcmp(what, "rows_exstack2") == 0) permute_matrix_exstack2(a, rows, columns, 16);
  }
  if (strcmp(what, "permutation") == 0) rand_permp(-5, 1);
  if (strcmp(what, "points") == 0) geometric_random_graph(-5, 0.5, UNDIRECTED, NOLOOPS, 1, NULL);
  if (strcmp(what, "matrix") == 0) init_matrix(-5, 1, 1, 0);
  if (strcmp(what, "plain_edge") == 0) append_edge(init_edge_list(1, 1), 0, 0);
  if (strcmp(what, "weighted_edge") == 0) append_weighted_edge(init_edge_list(1, 0), 0, 0, 1);
  CHECK(!"refused");
  return 0;
}
