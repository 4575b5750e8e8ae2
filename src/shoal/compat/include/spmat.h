/* spmat of bale 3.0 on Shoal: sparse matrices whose rows are dealt to the PEs in turn, permutations, graphs, and their
   files. Objects come from malloc, since programs free them after a clear; what the PEs share lies in the symmetric
   heap. Calls are collective unless they say local. A result of NULL: the symmetric heap lacks memory. Where malloc
   does, the job ends with a line. */
#ifndef SHOAL_SPMAT_H
#define SHOAL_SPMAT_H

#include "libgetput.h"
#include "spmat_enums.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Row r is row r / P of PE r % P. The nonzeros of its local row i are those from loffset[i] to before loffset[i + 1].
   */
typedef struct sparsemat_t {
  int64_t local; /* of one PE alone: nothing is shared */
  int64_t numrows;
  int64_t lnumrows;
  int64_t numcols;
  int64_t nnz;
  int64_t lnnz;
  SHARED int64_t* offset;
  int64_t* loffset;
  SHARED int64_t* nonzero; /* columns; room for the most nonzeros that a PE has */
  int64_t* lnonzero;
  SHARED double* value; /* NULL: none */
  double* lvalue;
} sparsemat_t;

typedef struct d_array_t {
  int64_t num;
  int64_t lnum;
  SHARED double* entry;
  double* lentry;
} d_array_t;

typedef struct triples_t {
  int64_t* row;
  int64_t* col;
  double* val;
  int64_t numrows;
  int64_t lnumrows;
  int64_t numcols;
  int64_t lnnz;
  int64_t nalloc;
} triples_t;

typedef struct w_edge_t {
  int64_t row;
  int64_t col;
  double val;
} w_edge_t;

typedef struct edge_t {
  int64_t row;
  int64_t col;
} edge_t;

typedef struct edge_list_t {
  edge_t* edges; /* one of the two is NULL */
  w_edge_t* wedges;
  int64_t nalloc;
  int64_t num;
} edge_list_t;

typedef struct col_val_t {
  int64_t col;
  double value;
} col_val_t;

typedef struct point_t {
  double x;
  double y;
} point_t;

typedef struct nxnz_t {
  sparsemat_t* mat;
  int64_t row;
  int64_t first; /* of its nonzeros */
  int64_t idx;
  int64_t stop; /* after its last */
  int64_t col; /* of the nonzero at idx */
} nxnz_t;

/* A matrix as a directory of files: rows in blocks over the writers. This PE reads or writes a block of them. */
typedef struct spmat_dataset_t {
  int64_t nwriters;
  int64_t lnumrows; /* of this PE's block */
  int64_t numrows;
  int64_t numcols;
  int64_t nnz;
  int values;
  int64_t io_rank; /* -1: this PE takes no part */
  int64_t global_first_row; /* of this PE's block */
  char* dirname;
  FILE* nnzfp;
  FILE* valfp;
  int64_t first_file;
  uint64_t nfiles;
  int64_t* nrows_in_file; /* how many of them are in the block */
  int64_t* nrows_read_in_file;
  int64_t start_row_first_file;
  int64_t first_file_offset; /* in nonzeros */
  int64_t* rowcnt;
  int file_open;
  int64_t current_file;
  int64_t current_row_in_file; /* of those in the block */
  int64_t current_global_row;
  int64_t* global_first_row_to_me; /* by reader */
} spmat_dataset_t;

/* --- Matrices. */

sparsemat_t* init_matrix(int64_t numrows, int64_t numcols, int64_t lnnz, int weighted);
sparsemat_t* init_local_matrix(int64_t numrows, int64_t numcols, int64_t nnz); /* Local */
sparsemat_t* copy_matrix(sparsemat_t* a);
void clear_matrix(sparsemat_t* a); /* Local for a local matrix */
void print_matrix(sparsemat_t* a);
int compare_matrix(sparsemat_t* a, sparsemat_t* b); /* Local. 0: equal here; else a line on stderr and 1 */
int spmat_are_eq_doubles(double a, double b); /* Local. 0: equal */
int sort_nonzeros(sparsemat_t* a); /* Each row by column. 0 */
int is_upper_triangular(sparsemat_t* a, int64_t unit_diagonal);
int is_lower_triangular(sparsemat_t* a, int64_t unit_diagonal);
int64_t tril(sparsemat_t* a, int64_t k); /* Keeps column - row <= k, in place. How many left, on all PEs */
int64_t triu(sparsemat_t* a, int64_t k); /* >= k */

/* --- Transposes and permutations. Row i becomes row rows[i], column j becomes columns[j]. Without suffix: the fastest
   way, and sorted. */

sparsemat_t* transpose_matrix(sparsemat_t* a);
sparsemat_t* transpose_matrix_agp(sparsemat_t* a);
sparsemat_t* transpose_matrix_exstack(sparsemat_t* a, int64_t buf_cnt);
sparsemat_t* transpose_matrix_exstack2(sparsemat_t* a, int64_t buf_cnt);
sparsemat_t* transpose_matrix_conveyor(sparsemat_t* a);
sparsemat_t* permute_matrix(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns);
sparsemat_t* permute_matrix_agp(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns);
sparsemat_t* permute_matrix_exstack(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns, int64_t buf_cnt);
sparsemat_t* permute_matrix_exstack2(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns, int64_t buf_cnt);
sparsemat_t* permute_matrix_conveyor(sparsemat_t* a, SHARED int64_t* rows, SHARED int64_t* columns);

/* A random permutation of 0..n-1, dealt, released by lgp_all_free. Depends on seed and P alone: all variants give the
   same. */
SHARED int64_t* rand_permp(int64_t n, int seed);
SHARED int64_t* rand_permp_agp(int64_t n, int seed);
SHARED int64_t* rand_permp_exstack(int64_t n, int seed, int64_t buf_cnt);
SHARED int64_t* rand_permp_exstack2(int64_t n, int seed, int64_t buf_cnt);
SHARED int64_t* rand_permp_conveyor(int64_t n, int seed);
int is_perm(SHARED int64_t* perm, int64_t n); /* 1: yes */

/* --- Graphs. An undirected one is its strictly lower half, and the diagonal if it has loops. */

sparsemat_t* random_graph(int64_t n, graph_model model, edge_type type, self_loops loops, double density, int64_t seed);
sparsemat_t* erdos_renyi_random_graph(int64_t n, double p, edge_type type, self_loops loops, uint64_t seed);
sparsemat_t* geometric_random_graph(int64_t n, double r, edge_type type, self_loops loops, uint64_t seed,
                                    SHARED point_t** points); /* the lower half for any type; points: dealt, or NULL */
sparsemat_t* direct_undirected_graph(sparsemat_t* lower); /* each edge gets one random direction */
void resolve_edge_prob_and_nz_per_row(double* edge_prob, double* nz_per_row, int64_t n, edge_type type,
                                      self_loops loops); /* Local */

/* Stars of m leaves: their hub is row 0. mode 1: a loop at the hub; 2: at the last leaf. */
sparsemat_t* gen_star_graph(int64_t m, int mode); /* Local */
sparsemat_t* kronecker_product_of_stars(int64_t n, int64_t* m, int mode); /* Local */
sparsemat_t* kronecker_product_graph_local(sparsemat_t* b, sparsemat_t* c); /* Local */
sparsemat_t* kronecker_product_graph_dist(sparsemat_t* b, sparsemat_t* c); /* of local factors; strictly lower half */
sparsemat_t* generate_kronecker_graph_from_spec(int mode, int* spec, int num);
int64_t calc_num_tri_kron_graph(int mode, int* spec, int num); /* Local */

/* --- Files. What is wrong with one is told in a line on stderr, and the job ends with status 1. */

sparsemat_t* read_matrix_mm_to_dist(char* name);
int write_matrix_mm(sparsemat_t* a, char* name);
sparsemat_t* read_sparse_matrix_agp(char* directory, int64_t nreaders);
sparsemat_t* read_sparse_matrix_exstack(char* directory, int64_t nreaders, int64_t buf_cnt);
int write_sparse_matrix_agp(char* directory, sparsemat_t* a);
int64_t write_sparse_matrix_exstack(char* directory, sparsemat_t* a, int64_t buf_cnt);
spmat_dataset_t* open_sparse_matrix_read(char* directory, int64_t nreaders);
spmat_dataset_t* open_sparse_matrix_write(char* directory, sparsemat_t* a);
spmat_dataset_t* read_sparse_matrix_metadata(char* directory);
int write_sparse_matrix_metadata(spmat_dataset_t* d);
void read_row_info(spmat_dataset_t* d);
void write_row_info(spmat_dataset_t* d, sparsemat_t* a);
/* Local. Whole rows that were read, or -1 after the last. `size`: the room of both, in nonzeros. */
int64_t read_nonzeros_buffer(spmat_dataset_t* d, int64_t* columns, double* values, int64_t size);
void clear_spmat_dataset(spmat_dataset_t* d);

/* --- The nonzeros of a row: first, then while has, col and incr. Local. _S_: of a global row, which may be another
   PE's. */

nxnz_t* init_nxnz(sparsemat_t* a);
void first_l_nxnz(nxnz_t* at, int64_t lrow);
bool has_l_nxnz(nxnz_t* at, int64_t lrow);
void incr_l_nxnz(nxnz_t* at, int64_t lrow);
void first_S_nxnz(nxnz_t* at, int64_t row);
bool has_S_nxnz(nxnz_t* at, int64_t row);
void incr_S_nxnz(nxnz_t* at, int64_t row);
int64_t rowcount_l(sparsemat_t* a, int64_t lrow);
int64_t rowcount_S(sparsemat_t* a, int64_t row);

/* --- Dealt arrays of numbers. */

d_array_t* init_d_array(int64_t n);
d_array_t* copy_d_array(d_array_t* source);
int64_t replace_d_array(d_array_t* dest, d_array_t* source); /* 0: their lengths differ */
void set_d_array(d_array_t* a, double value); /* Local */
void clear_d_array(d_array_t* a);

/* --- Lists that grow, of this PE. Appending returns the new length. */

edge_list_t* init_edge_list(int64_t nalloc, int weighted);
int64_t append_edge(edge_list_t* list, int64_t row, int64_t col);
int64_t append_weighted_edge(edge_list_t* list, int64_t row, int64_t col, double val);
void clear_edge_list(edge_list_t* list);
triples_t* init_triples(int64_t numrows, int64_t numcols, int64_t nalloc, int weighted);
int64_t append_triple(triples_t* t, int64_t row, int64_t col, double val);
void clear_triples(triples_t* t);
sparsemat_t* triples_to_sparsemat(triples_t* t); /* Collective. Entries of any rows; sorted */

/* Orders for qsort. */
int nz_comp(const void* a, const void* b);
int point_comp(const void* a, const void* b);
int col_val_comp(const void* a, const void* b);
int edge_comp(const void* a, const void* b);
int w_edge_comp(const void* a, const void* b);

#ifdef __cplusplus
/* Names of bale 2. mode 0: symmetric; 1: lower half; 2: upper; 3: both, each of its own. */
sparsemat_t* gen_erdos_renyi_graph_dist(int n, double p, int64_t unit_diagonal, int64_t mode, int64_t seed);
sparsemat_t* gen_local_mat_from_stars(int64_t n, int64_t* m, int mode);
sparsemat_t* gen_star(int64_t m, int mode);
sparsemat_t* kron_prod(sparsemat_t* b, sparsemat_t* c);
sparsemat_t* kron_prod_dist(sparsemat_t* b, sparsemat_t* c, int64_t lower); /* 0: the whole product */

} /* extern "C" */

extern "C++" {
inline sparsemat_t* init_matrix(int64_t numrows, int64_t numcols, int64_t lnnz) {
  return init_matrix(numrows, numcols, lnnz, 0);
}
} /* extern "C++" */
#endif

#endif
