// Whether a transposed matrix is right.
#include <algorithm>

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

bool is_whole(world& w, const problem& p) {
  return w.min(static_cast<int>(p.transposed.n_local_rows() == p.transposed.rows.n_local(w.my_pe()))) != 0;
}

}  // namespace

bool equals_reference(world& w, const problem& p) {
  if (!is_whole(w, p)) return false;
  const std::vector<entry> given = gather_on_first_pe(w, p.matrix);
  std::vector<entry> found = gather_on_first_pe(w, p.transposed);
  std::ranges::sort(found);
  return w.broadcast(w.my_pe() != 0 || found == reference(given));
}

bool equals_library(world& w, const problem& p) {
  if (!is_whole(w, p)) return false;
  sparse_matrix sorted = p.transposed;
  sort_rows(sorted);
  return are_equal(w, transpose(w, p.matrix), sorted);
}

}  // namespace shoal::kernels::transposition
