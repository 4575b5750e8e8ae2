// Whether a permuted matrix is right.
#include <algorithm>
#include <span>

#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
namespace {

bool is_whole(world& w, const problem& p) {
  return w.min(static_cast<int>(p.permuted.n_local_rows() == p.permuted.rows.n_local(w.my_pe()))) != 0;
}

// The images of all indices, on every PE.
std::vector<std::int64_t> gather_images(world& w, const permutation& p) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(p.indices.n()), 0);
  for (std::size_t i = 0; i < p.images.size(); ++i) {
    all[static_cast<std::size_t>(p.indices.global(p.pe, static_cast<std::int64_t>(i)))] = p.images[i];
  }
  if (!all.empty()) w.sum(std::span(all));
  return all;
}

}  // namespace

bool equals_reference(world& w, const problem& p) {
  if (!is_whole(w, p)) return false;
  const std::vector<entry> given = gather_on_first_pe(w, p.matrix);
  std::vector<entry> found = gather_on_first_pe(w, p.permuted);
  std::ranges::sort(found);
  const std::vector<std::int64_t> rows = gather_images(w, p.rows);
  const std::vector<std::int64_t> columns = gather_images(w, p.columns);
  return w.broadcast(w.my_pe() != 0 || found == reference(given, rows, columns));
}

bool equals_library(world& w, const problem& p) {
  if (!is_whole(w, p)) return false;
  sparse_matrix sorted = p.permuted;
  sort_rows(sorted);
  return are_equal(w, permute(w, sorted, inverse(w, p.rows), inverse(w, p.columns)), p.matrix);
}

}  // namespace shoal::kernels::permuting
