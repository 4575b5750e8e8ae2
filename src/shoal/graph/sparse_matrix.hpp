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

/// The entries strictly below, or above, the diagonal.
sparse_matrix strict_lower(const sparse_matrix& m);
sparse_matrix strict_upper(const sparse_matrix& m);

/// The number of entries in each local row.
std::vector<std::int64_t> row_degrees(const sparse_matrix& m);

// --- Collective: all PEs call them, and they wait. Not in a handler.

/// The number of entries on all PEs together.
std::int64_t n_entries(world& w, const sparse_matrix& m);

/// The number of entries in each column, on the column's owner (columns_distribution).
std::vector<std::int64_t> column_degrees(world& w, const sparse_matrix& m);

/// The transposed matrix. Its rows are distributed like those of `m`.
sparse_matrix transpose(world& w, const sparse_matrix& m);

/// The undirected simple graph of a square matrix: the pattern of A or A^T, without the diagonal and without
/// duplicates. A matrix that is not square is a contract violation.
sparse_matrix symmetrise(world& w, const sparse_matrix& m);

}  // namespace shoal
