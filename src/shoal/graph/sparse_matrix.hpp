/// A distributed sparse matrix in compressed rows, and the operations that kernels need before they begin.
///
/// A graph is a square matrix: entry (i, j) is the edge from i to j. Build one from entries with
/// matrix_builder.hpp, read one with matrix_market.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

/// One PE's rows of a matrix. Plain data, because a kernel's inner loop reads it directly.
///
/// Columns are global indices, ascending within a row. Every function that makes a matrix ensures this; code that fills
/// in a matrix by hand must call sort_rows. Entries may repeat until sum_duplicates. `rows`, `n_columns` and
/// `has_values` are the same on every PE.
struct sparse_matrix {
  distribution rows;
  pe_id pe = 0;  // the PE that owns these rows
  std::int64_t n_columns = 0;
  bool has_values = false;  // false: pattern only, and `values` is empty

  // Local row r has the entries [offsets[r], offsets[r + 1]), so there is one offset more than rows.
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int64_t> columns = {};
  std::vector<double> values = {};

  std::int64_t n_rows() const noexcept { return rows.n(); }
  std::int64_t n_local_rows() const noexcept { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t n_local_entries() const noexcept { return static_cast<std::int64_t>(columns.size()); }

  std::int64_t global_row(std::int64_t local) const noexcept { return rows.global(pe, local); }

  /// The columns, or values, of a local row.
  std::span<const std::int64_t> row(std::int64_t local) const noexcept {
    return std::span(columns).subspan(begin_of(local), size_of(local));
  }
  std::span<const double> row_values(std::int64_t local) const noexcept {
    return std::span(values).subspan(begin_of(local), size_of(local));
  }

  /// The distribution of a vector with one element per column; the same layout as the rows.
  distribution columns_distribution() const noexcept { return {rows.kind(), n_columns, rows.n_pes()}; }

private:
  std::size_t begin_of(std::int64_t local) const noexcept {
    return static_cast<std::size_t>(offsets[static_cast<std::size_t>(local)]);
  }
  std::size_t size_of(std::int64_t local) const noexcept {
    return static_cast<std::size_t>(offsets[static_cast<std::size_t>(local) + 1]) - begin_of(local);
  }
};

// --- Local: these do not wait. If a PE calls one alone, PEs disagree about the matrix.

/// Sorts the entries of each row by column, equal columns by value.
void sort_rows(sparse_matrix& m);

/// Merges entries of the same row and column into one; its value is their sum.
void sum_duplicates(sparse_matrix& m);

/// The entries on a diagonal and below it, or above it. Diagonal k has the entries (i, i + k); 0 is the main one.
sparse_matrix lower_triangle(const sparse_matrix& m, std::int64_t diagonal = 0);
sparse_matrix upper_triangle(const sparse_matrix& m, std::int64_t diagonal = 0);

/// The entries strictly below, or above, the main diagonal.
sparse_matrix strict_lower(const sparse_matrix& m);
sparse_matrix strict_upper(const sparse_matrix& m);

/// Gives each entry a random value in (0, 1], each equally likely. It depends on the seed and on the two vertices alone:
/// both directions of an edge have the same, whatever the number of PEs and the layout. Values that were there are lost.
void set_random_values(sparse_matrix& m, std::uint64_t seed);

/// The number of entries in each local row.
std::vector<std::int64_t> row_degrees(const sparse_matrix& m);

// --- Collective: all PEs call them, and they wait. Not in a handler.

/// The number of entries on all PEs together.
std::int64_t n_entries(world& w, const sparse_matrix& m);

/// The number of entries in each column, on the column's owner (columns_distribution).
std::vector<std::int64_t> column_degrees(world& w, const sparse_matrix& m);

/// The transposed matrix. Its rows are distributed like those of `m`.
sparse_matrix transpose(world& w, const sparse_matrix& m);

/// Whether two matrices are the same, values included: the same size, layout and entries.
bool are_equal(world& w, const sparse_matrix& a, const sparse_matrix& b);

/// Whether all entries are on the main diagonal or below it, or above it. With a unit diagonal, each row also has exactly
/// one entry on the diagonal, of value 1 if the matrix has values.
enum class main_diagonal : std::uint8_t { any, unit };
bool is_lower_triangular(world& w, const sparse_matrix& m, main_diagonal diagonal = main_diagonal::any);
bool is_upper_triangular(world& w, const sparse_matrix& m, main_diagonal diagonal = main_diagonal::any);

/// The symmetric matrix of one half of it: `m`, and each entry off the diagonal also at its mirrored place. Keeps values
/// and duplicates. A matrix that is not square is a contract violation.
sparse_matrix with_mirrored(world& w, const sparse_matrix& m);

/// Leaves each entry where it is or moves it to its mirrored place, as a coin that (seed, row, column) decides says:
/// makes directed edges of undirected ones that are there once. A matrix that is not square is a contract violation.
sparse_matrix orient(world& w, const sparse_matrix& m, std::uint64_t seed);

/// The undirected simple graph of a square matrix: the pattern of A or A^T, without the diagonal and without
/// duplicates. A matrix that is not square is a contract violation.
sparse_matrix symmetrise(world& w, const sparse_matrix& m);

}  // namespace shoal
