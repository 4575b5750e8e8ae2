/// Matrices as a directory of binary files, the format of bale.
///
/// The file `metadata` has five lines: `numrows: N`, `numcols: N`, `nnz: N`, `nwriters: N`, `values: 0` or `values: 1`.
/// Each writer has a block of rows; the first `numrows % nwriters` writers have one row more than the others. Of writer
/// i, rowinfo_i holds for each row the position of its first entry in nonzero_i, which holds the columns of the
/// entries; both are 64-bit integers in the byte order of the machine. value_i holds the values as doubles.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

struct matrix_directory_options {
  layout rows = layout::cyclic;
  bool with_values = true;  // false: only the pattern, whatever the directory holds
};

/// Writes a matrix into `directory`, which it makes if necessary, in files of `n_writers` writers; 0: one for each PE.
/// It replaces a matrix that is there. All PEs name the same directory, which all must be able to write. Rows that are
/// not in blocks are first sent to PEs that have blocks, which takes the memory of a second matrix. Collective; waits.
/// Not in a handler.
///
/// `metadata` is written last, so that after a failure the directory is not taken for a matrix. Throws setup_error on
/// every PE or on none, with one line that names the file.
void write_matrix_directory(world& w, const sparse_matrix& m, const std::string& directory, std::int64_t n_writers = 0);

/// Reads a matrix, whatever its number of writers. All PEs name the same directory, which all must be able to read; each
/// reads a part of the rows. Keeps repeated entries. Collective; waits. Not in a handler.
///
/// Throws setup_error on every PE or on none, with one line that names the file, what is wrong, and what would be right:
/// "m/nonzero_2: entry 7 has column 99, which is out of range (the matrix has 50 columns)". Everything counts from 0.
sparse_matrix read_matrix_directory(world& w, const std::string& directory,
                                    const matrix_directory_options& options = {});

}  // namespace shoal
