/// A distributed sparse matrix in compressed rows, and what kernels do with it before they begin.
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

/// One PE's rows of a matrix. Plain data, because a kernel's inner loop reads it as such.
///
/// Columns are global indices, in ascending order within a row; every function that makes a matrix sees
/// to that, and who fills in a matrix by hand calls sort_rows. An entry may occur several times, until
/// sum_duplicates. `rows`, `n_columns` and `has_values` are the same on every PE.
struct sparse_matrix {
  distribution rows;
  pe_id pe = 0;  // whose rows these are
  std::int64_t n_columns = 0;
  bool has_values = false;  // false: only the pattern counts, and `values` is empty

  // Local row r has the entries [offsets[r], offsets[r + 1]), so there is one offset more than rows.
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int64_t> columns = {};
  std::vector<double> values = {};

  std::int64_t n_rows() const noexcept { return rows.n(); }
  std::int64_t n_local_rows() const noexcept { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t n_local_entries() const noexcept { return static_cast<std::int64_t>(columns.size()); }

  std::int64_t global_row(std::int64_t local) const noexcept { return rows.global(pe, local); }

  /// Columns, or values, of a local row.
  std::span<const std::int64_t> row(std::int64_t local) const noexcept {
    return std::span(columns).subspan(begin_of(local), size_of(local));
  }
  std::span<const double> row_values(std::int64_t local) const noexcept {
    return std::span(values).subspan(begin_of(local), size_of(local));
  }

  /// Where a vector with one element per column lives, dealt out as the rows are.
  distribution columns_distribution() const noexcept { return {rows.kind(), n_columns, rows.n_pes()}; }

private:
  std::size_t begin_of(std::int64_t local) const noexcept {
    return static_cast<std::size_t>(offsets[static_cast<std::size_t>(local)]);
  }
  std::size_t size_of(std::int64_t local) const noexcept {
    return static_cast<std::size_t>(offsets[static_cast<std::size_t>(local) + 1]) - begin_of(local);
  }
};

// --- Local: these do not wait, and a PE may call them alone, but then PEs disagree about the matrix.

/// Puts the entries of each row in ascending order of columns, equal ones in order of their values.
void sort_rows(sparse_matrix& m);

/// Makes one entry of all that share a row and a column; its value is their sum.
void sum_duplicates(sparse_matrix& m);

/// The entries strictly below, or above, the diagonal.
sparse_matrix strict_lower(const sparse_matrix& m);
sparse_matrix strict_upper(const sparse_matrix& m);

/// How many entries each local row has.
std::vector<std::int64_t> row_degrees(const sparse_matrix& m);

// --- Collective: all PEs call them, and they wait. Not in a handler.

/// How many entries the matrix has on all PEs together.
std::int64_t n_entries(world& w, const sparse_matrix& m);

/// How many entries each column has, on the column's owner (columns_distribution).
std::vector<std::int64_t> column_degrees(world& w, const sparse_matrix& m);

/// Rows and columns exchanged. The rows of the result are dealt out as those of `m`.
sparse_matrix transpose(world& w, const sparse_matrix& m);

/// The undirected simple graph of a square matrix: pattern of A or A^T, without the diagonal, each entry
/// once. A matrix that is not square is a contract violation.
sparse_matrix symmetrise(world& w, const sparse_matrix& m);

}  // namespace shoal
