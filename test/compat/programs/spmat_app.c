/* A program in the manner of bale's: options by argp, a graph, its transpose by all models, a topological sort; results
   as bale prints them. The matrix to sort is a permuted upper triangle with all ones on its diagonal. */
#include <convey.h>
#include <exstack.h>
#include <spmat.h>
#include <std_options.h>

const char* argp_program_version = "transposes 7.2";

typedef struct args_t {
  int64_t n_rounds;
  std_args_t std;
  std_graph_args_t gstd;
} args_t;

static int parse_opt(int key, char* arg, struct argp_state* state) {
  args_t* args = (args_t*)state->input;
  switch (key) {
    case 'r': args->n_rounds = atol(arg); break;
    case ARGP_KEY_INIT:
      args->n_rounds = 1;
      args->gstd.l_numrows = 100;
      state->child_inputs[0] = &args->std;
      state->child_inputs[1] = &args->gstd;
      break;
  }
  return 0;
}

static struct argp_option options[] = {{"rounds", 'r', "NUM", 0, "How often", 0}, {0, 0, 0, 0, 0, 0}};
static struct argp_child children[] = {{&std_options_argp, 0, "Standard Options", -2},
                                       {&std_graph_options_argp, 0, "Standard Graph Options", -3},
                                       {0, 0, 0, 0}};

/* Rows whose last column is known, one after another, by puts and atomics. */
static int64_t sort_topologically(sparsemat_t* mat, sparsemat_t* tmat, SHARED int64_t* rperm, SHARED int64_t* cperm) {
  const int64_t n = mat->numrows;
  SHARED int64_t* counts = (SHARED int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  SHARED int64_t* sums = (SHARED int64_t*)lgp_all_alloc(n, sizeof(int64_t));
  SHARED int64_t* pivots = (SHARED int64_t*)lgp_all_alloc(THREADS, sizeof(int64_t));
  int64_t* lcounts = lgp_local_part(int64_t, counts);
  int64_t* lsums = lgp_local_part(int64_t, sums);
  int64_t i, k, n_found, n_wrong = 0;
  if (MYTHREAD == 0) lgp_put_int64(pivots, 0, n);
  for (i = 0; i < mat->lnumrows; ++i) {
    lcounts[i] = rowcount_l(mat, i);
    for (lsums[i] = 0, k = mat->loffset[i]; k < mat->loffset[i + 1]; ++k) lsums[i] += mat->lnonzero[k];
  }
  lgp_barrier();
  do {
    n_found = 0;
    for (i = 0; i < mat->lnumrows; ++i) {
      int64_t column, position, end;
      if (lcounts[i] != 1) continue;
      ++n_found;
      lcounts[i] = 0;
      column = lgp_get_int64(sums, i * THREADS + MYTHREAD);
      position = lgp_fetch_and_add(pivots, 0, -1) - 1;
      lgp_put_int64(rperm, i * THREADS + MYTHREAD, position);
      lgp_put_int64(cperm, column, position);
      end = lgp_get_int64(tmat->offset, column + THREADS);
      for (k = lgp_get_int64(tmat->offset, column); k < end; ++k) {
        const int64_t row = lgp_get_int64(tmat->nonzero, k * THREADS + column % THREADS);
        if (row == i * THREADS + MYTHREAD) continue;
        lgp_fetch_and_add(sums, row, -column);
        lgp_fence();
        lgp_fetch_and_add(counts, row, -1);
      }
    }
    lgp_barrier();
  } while (lgp_reduce_add_l(n_found) > 0);
  if (lgp_get_int64(pivots, 0) != 0) ++n_wrong;
  lgp_barrier();
  lgp_all_free(counts);
  lgp_all_free(sums);
  lgp_all_free(pivots);
  return lgp_reduce_add_l(n_wrong);
}

static int64_t topo(args_t* args) {
  sparsemat_t *upper, *lower, *mat, *tmat, *sorted;
  SHARED int64_t *rperm, *cperm, *rows, *columns;
  int64_t n_wrong;
  double start = wall_seconds();
  minavgmaxD_t seconds;
  lower =
      erdos_renyi_random_graph(args->gstd.numrows, args->gstd.edge_prob, UNDIRECTED, LOOPS, (uint64_t)args->std.seed);
  upper = transpose_matrix(lower);
  if (!is_upper_triangular(upper, 1)) {
    T0_fprintf(stderr, "ERROR: not upper triangular\n");
    return 1;
  }
  rows = rand_permp(upper->numrows, (int)args->std.seed);
  columns = rand_permp(upper->numcols, (int)args->std.seed + 1);
  mat = permute_matrix(upper, rows, columns);
  tmat = transpose_matrix(mat);
  rperm = (SHARED int64_t*)lgp_all_alloc(upper->numrows, sizeof(int64_t));
  cperm = (SHARED int64_t*)lgp_all_alloc(upper->numrows, sizeof(int64_t));
  n_wrong = sort_topologically(mat, tmat, rperm, cperm);
  n_wrong += !is_perm(rperm, mat->numrows) + !is_perm(cperm, mat->numcols);
  if (n_wrong == 0) {
    sorted = permute_matrix(mat, rperm, cperm);
    n_wrong = !is_upper_triangular(sorted, 1);
    clear_matrix(sorted), free(sorted);
  }
  lgp_min_avg_max_d(&seconds, wall_seconds() - start, THREADS);
  bale_app_write_time(&args->std, (char*)"topo", seconds.avg);
  clear_matrix(upper), clear_matrix(lower), clear_matrix(mat), clear_matrix(tmat);
  free(upper), free(lower), free(mat), free(tmat);
  lgp_all_free(rperm), lgp_all_free(cperm), lgp_all_free(rows), lgp_all_free(columns);
  return n_wrong;
}

int main(int argc, char* argv[]) {
  args_t args = {0};
  struct argp argp = {options, parse_opt, 0, "Transposes a sparse matrix.", children, 0, 0};
  int64_t error = 0, use_model;
  sparsemat_t* inmat;
  int ret = bale_app_init(argc, argv, &args, sizeof(args_t), &argp, &args.std);
  if (ret < 0) return ret;
  if (ret > 0) return 0;
  write_std_options(&args.std);
  write_std_graph_options(&args.std, &args.gstd);
  inmat = get_input_graph(&args.std, &args.gstd);
  if (!inmat) return 1;
  bale_app_write_int(&args.std, (char*)"rounds", args.n_rounds);
  bale_app_write_double(&args.std, (char*)"probability", args.gstd.edge_prob);
  if (args.std.dump_files) write_matrix_mm(inmat, (char*)"inmat");
  for (use_model = 1L; use_model < 16; use_model *= 2) {
    sparsemat_t *outmat, *twice;
    const char* name = "";
    double start = wall_seconds();
    if (!(use_model & args.std.models_mask)) continue;
    switch (use_model) {
      case AGP_Model: outmat = transpose_matrix_agp(inmat), name = "AGP"; break;
      case EXSTACK_Model: outmat = transpose_matrix_exstack(inmat, args.std.buf_cnt), name = "Exstack"; break;
      case EXSTACK2_Model: outmat = transpose_matrix_exstack2(inmat, args.std.buf_cnt), name = "Exstack2"; break;
      default: outmat = transpose_matrix_conveyor(inmat), name = "Conveyor"; break;
    }
    bale_app_write_time(&args.std, (char*)name, wall_seconds() - start);
    twice = transpose_matrix(outmat);
    sort_nonzeros(inmat);
    if (compare_matrix(twice, inmat)) error = 1;
    clear_matrix(outmat), clear_matrix(twice);
    free(outmat), free(twice);
  }
  clear_matrix(inmat);
  free(inmat);
  error = lgp_reduce_add_l(error) + topo(&args);
  if (error) T0_fprintf(stderr, "ERROR: wrong results\n");
  bale_app_finish(&args.std);
  return error != 0;
}
