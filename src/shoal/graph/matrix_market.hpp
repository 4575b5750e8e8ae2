/// Reads matrices from MatrixMarket files, plain or compressed with gzip, and writes plain ones.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

struct matrix_market_options {
  layout rows = layout::cyclic;
  bool with_values = true;  // false: only the pattern, whatever the file holds
  bool with_duplicates = false;  // true: keep repeated entries; false: add them up
};

/// Reads a matrix. All PEs name the same file, which all must be able to read; each gets its rows. Collective; waits.
/// Not in a handler.
///
/// Supports `matrix coordinate`, `pattern`, `integer` or `real`, `general` or `symmetric`. A symmetric file holds the
/// lower triangle; the matrix gets both halves. Whole numbers become doubles. Comments may precede the size line; blank
/// lines may be anywhere after line 1; lines may end as in Windows. All PEs read a plain file, each its part. PE 0
/// decompresses a compressed file and distributes the text.
///
/// Throws setup_error on every PE or on none, with one line that names file and line, what is wrong, and what would be
/// right: "data/foo.mtx:17: column 99 is out of range (the matrix has 50 columns)".
sparse_matrix read_matrix_market(world& w, const std::string& path, const matrix_market_options& options = {});

/// What the head of a file announces, no more than the file can hold.
struct matrix_size {
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::int64_t n_entries = 0;  // of both halves, if the file holds one
};

/// The size of the matrix in a file, for programs that need memory in addition to it. Reads the file's head only, and
/// throws as read_matrix_market does. Collective; waits. Not in a handler.
matrix_size read_matrix_market_size(world& w, const std::string& path, const matrix_market_options& options = {});

/// Writes a matrix: `real` with values, `pattern` without, always `general`. All PEs name the same file, which all must
/// be able to write; each writes its rows, so with cyclic rows those of PE 0 come first. Values are written in the
/// shortest form that reads back as the same double. Repeated entries are written as they are. Collective; waits. Not in
/// a handler.
///
/// The file has the name `path` + ".part" until it is complete, so a failure leaves what `path` named before. Beside the
/// matrix, a PE takes less than 1 MB.
///
/// Throws setup_error on every PE or on none, with one line, if a value is infinite or NaN, if `path` ends in ".gz", or
/// if the file cannot be written: "out.mtx.part: cannot be written on PE 3: No space left on device; free space there,
/// or write to another file system".
void write_matrix_market(world& w, const sparse_matrix& m, const std::string& path);

}  // namespace shoal
