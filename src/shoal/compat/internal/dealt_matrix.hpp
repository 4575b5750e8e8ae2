/// What the functions of spmat.h are made of. They do not call one another by their C names, which a program may
/// define.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealing.hpp"

namespace shoal::internal::compat {

/// Collective. Null if memory lacks. Offsets are 0.
sparsemat_t* make_matrix(std::int64_t numrows, std::int64_t numcols, std::int64_t lnnz, bool is_weighted,
                         const char* call);

/// Local. The same of one PE alone.
sparsemat_t* make_local_matrix(std::int64_t numrows, std::int64_t numcols, std::int64_t nnz);

/// Collective unless the matrix is local. The struct stays.
void release_parts(sparsemat_t& a);

/// The same with the struct, which may be null.
void release(sparsemat_t* a);

/// Local: each row by column, values along.
void sort_rows(sparsemat_t& a);

/// Local: makes offsets of the numbers of nonzeros, of which row i's is at loffset[i + 1].
void add_up_offsets(sparsemat_t& a);

/// Collective; sorted. Null if memory lacks.
sparsemat_t* transposed(const sparsemat_t& a, const char* call);

/// Collective: what the functions of these names do. `geometric` makes the lower half, whatever the type.
sparsemat_t* erdos_renyi(std::int64_t n, double p, edge_type type, self_loops loops, std::int64_t seed,
                         const char* call);
sparsemat_t* geometric(std::int64_t n, double r, edge_type type, self_loops loops, std::int64_t seed, point_t** points,
                       const char* call);
sparsemat_t* directed(const sparsemat_t& lower, const char* call);
sparsemat_t* random(std::int64_t n, graph_model model, edge_type type, self_loops loops, double density,
                    std::int64_t seed, const char* call);
sparsemat_t* kronecker(int mode, const int* spec, int num, const char* call);
sparsemat_t* read_matrix_market(const char* name);
void choose_density(double& edge_prob, double& nz_per_row, std::int64_t n, edge_type type, self_loops loops);

inline edge_type type_of(bool is_directed, bool is_weighted) {
  return is_directed ? (is_weighted ? DIRECTED_WEIGHTED : DIRECTED) : (is_weighted ? UNDIRECTED_WEIGHTED : UNDIRECTED);
}
inline bool is_directed(edge_type type) { return type == DIRECTED || type == DIRECTED_WEIGHTED; }
inline bool is_weighted(edge_type type) { return type == DIRECTED_WEIGHTED || type == UNDIRECTED_WEIGHTED; }

/// Collective: ends the job with one line `call: text`, and status 1.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void refuse_together(const char* call, const char* text, ...);

/// Ends the job with a line if the column is none of the matrix.
[[noreturn, gnu::cold]] void refuse_column(const sparsemat_t& a, std::int64_t row, std::int64_t column,
                                           const char* call);

inline void check_column(const sparsemat_t& a, std::int64_t row, std::int64_t column, const char* call) {
  if (static_cast<std::uint64_t>(column) >= static_cast<std::uint64_t>(a.numcols)) [[unlikely]]
    refuse_column(a, row, column, call);
}

/// Ends the job with a line if a size is negative, or has none after it.
[[noreturn, gnu::cold]] void refuse_size(std::int64_t n, const char* call);

inline void check_size(std::int64_t n, const char* call) {
  if (n < 0 || n == INT64_MAX) [[unlikely]]
    refuse_size(n, call);
}

inline std::span<std::int64_t> row_of(const sparsemat_t& a, std::int64_t lrow) {
  return {a.lnonzero + a.loffset[lrow], a.lnonzero + a.loffset[lrow + 1]};
}

inline std::int64_t global_row(const sparsemat_t& a, std::int64_t lrow) {
  return a.local != 0 ? lrow : lrow * compat::n_pes() + compat::my_pe();
}

/// Collective unless the matrix is local.
std::int64_t sum_over(const sparsemat_t& a, std::int64_t mine, const char* call);

/// Of at least one element; of more than there can be: more bytes than any memory has.
template <class T>
std::size_t bytes_of(std::int64_t n) {
  std::size_t bytes = 0;
  const bool is_too_much = __builtin_mul_overflow(static_cast<std::size_t>(n > 0 ? n : 1), sizeof(T), &bytes);
  return is_too_much ? SIZE_MAX / 2 : bytes;
}

/// Arrays of the symmetric heap. Collective; null if memory lacks. Never of length 0, for which shmem_malloc gives
/// null.
template <class T>
T* shared_array(std::int64_t n) {
  return static_cast<T*>(shmem_malloc(bytes_of<T>(n)));
}

/// From malloc, for programs to free; ends the job if memory lacks.
void* allocated(std::size_t bytes, const char* call);
void* reallocated(void* old, std::size_t bytes, const char* call);

template <class T>
T* allocated_array(std::int64_t n, const char* call) {
  return static_cast<T*>(allocated(bytes_of<T>(n), call));
}

}  // namespace shoal::internal::compat
