/// Reads matrices from MatrixMarket files, plain or compressed with gzip.
#pragma once

#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

struct matrix_market_options {
  layout rows = layout::cyclic;
  bool with_values = true;  // false: the pattern only, whatever the file holds
  bool with_duplicates = false;  // true: keep entries that the file has several times; false: add them up
};

/// Collective: every PE names the same file, which all can read, and gets its rows. Waits. Not in a handler.
///
/// Reads `matrix coordinate`, `pattern`, `integer` or `real`, `general` or `symmetric`; of a symmetric
/// matrix, whose file holds the lower triangle, it gives both halves. Whole numbers become doubles.
/// Comments and blank lines may stand before the size line, blank lines also after it; lines may end as
/// Windows ends them. A plain file is read by all PEs, each a part. A compressed one is decompressed by
/// PE 0, which deals out the text.
///
/// Throws setup_error on every PE or on none, with one line that names file and line, what is wrong, and
/// what would be right: "data/foo.mtx:17: column 99 is out of range (the matrix has 50 columns)".
sparse_matrix read_matrix_market(world& w, const std::string& path, const matrix_market_options& options = {});

}  // namespace shoal
