/// Distributed permutations, and matrices whose rows and columns are permuted.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

/// One PE's part of a permutation: `images[i]` is where the index goes that has the local number i. Plain data, with an
/// image for each local index. Images are global indices.
struct permutation {
  distribution indices;
  pe_id pe = 0;
  std::vector<std::int64_t> images = {};
};

// --- Collective: all PEs call them, and they wait. Not in a handler.

/// A random permutation, each equally likely. The same for one seed, whatever the number of PEs and the layout.
permutation random_permutation(world& w, const distribution& indices, std::uint64_t seed);

/// Whether each index is the image of exactly one.
bool is_permutation(world& w, const permutation& p);

/// The permutation that leads back.
permutation inverse(world& w, const permutation& p);

/// Moves entry (i, j) of `m` to (image of i, image of j). Rows of the result are distributed like those of `m`. `rows`
/// has the distribution of the rows of `m`, `columns` that of its columns (columns_distribution); another one is a
/// contract violation.
sparse_matrix permute(world& w, const sparse_matrix& m, const permutation& rows, const permutation& columns);

}  // namespace shoal
