// Kronecker products of stars.
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"

namespace compat = shoal::internal::compat;
using compat::row_of;

namespace {

sparsemat_t* star(std::int64_t m, int mode) {
  sparsemat_t* const made = compat::make_local_matrix(m + 1, m + 1, 2 * m + (mode == 1 || mode == 2 ? 1 : 0));
  std::int64_t k = 0;
  if (mode == 1) made->lnonzero[k++] = 0;
  for (std::int64_t leaf = 1; leaf <= m; ++leaf) made->lnonzero[k++] = leaf;
  made->loffset[1] = k;
  for (std::int64_t leaf = 1; leaf <= m; ++leaf) {
    made->lnonzero[k++] = 0;
    if (mode == 2 && leaf == m) made->lnonzero[k++] = m;
    made->loffset[leaf + 1] = k;
  }
  return made;
}

// Calls `take(column)` for each nonzero of the row of the product, by rising column.
template <class Take>
void row_of_product(const sparsemat_t& b, const sparsemat_t& c, std::int64_t row, Take take) {
  for (const std::int64_t in_b : row_of(b, row / c.numrows)) {
    for (const std::int64_t in_c : row_of(c, row % c.numrows)) take(in_b * c.numcols + in_c);
  }
}

sparsemat_t* local_product(const sparsemat_t& b, const sparsemat_t& c) {
  sparsemat_t* const made = compat::make_local_matrix(b.numrows * c.numrows, b.numcols * c.numcols, b.nnz * c.nnz);
  std::int64_t k = 0;
  for (std::int64_t row = 0; row < made->numrows; ++row) {
    row_of_product(b, c, row, [&](std::int64_t column) { made->lnonzero[k++] = column; });
    made->loffset[row + 1] = k;
  }
  return made;
}

// Of no stars: one vertex with a loop, which changes no product.
sparsemat_t* product_of_stars(std::int64_t n, const std::int64_t* m, int mode) {
  sparsemat_t* made = compat::make_local_matrix(1, 1, 1);
  made->lnonzero[0] = 0;
  made->loffset[1] = 1;
  for (std::int64_t i = 0; i < n; ++i) {
    sparsemat_t* const factor = star(m[i], mode);
    sparsemat_t* const next = local_product(*made, *factor);
    compat::release(factor);
    compat::release(made);
    made = next;
  }
  return made;
}

// Each PE makes its own rows.
sparsemat_t* dealt_product(const sparsemat_t& b, const sparsemat_t& c, bool strictly_lower, const char* call) {
  const compat::dealing deal;
  const std::int64_t numrows = b.numrows * c.numrows;
  const std::int64_t lnumrows = deal.n_here(numrows);
  const auto for_each = [&](auto take, auto end_row) {
    for (std::int64_t i = 0; i < lnumrows; ++i) {
      const std::int64_t row = deal.global(i);
      row_of_product(b, c, row, [&](std::int64_t column) {
        if (!strictly_lower || column < row) take(column);
      });
      end_row(i);
    }
  };
  std::int64_t lnnz = 0;
  for_each([&](std::int64_t) { ++lnnz; }, [](std::int64_t) {});
  sparsemat_t* const made = compat::make_matrix(numrows, b.numcols * c.numcols, lnnz, false, call);
  if (made == nullptr) return nullptr;
  std::int64_t k = 0;
  for_each([&](std::int64_t column) { made->lnonzero[k++] = column; },
           [&](std::int64_t i) { made->loffset[i + 1] = k; });
  shmem_barrier_all();
  return made;
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* kronecker(int mode, const int* spec, int num, const char* call) {
  const std::vector<std::int64_t> m(spec, spec + num);
  const std::int64_t n_in_first = num / 2;
  sparsemat_t* const b = product_of_stars(n_in_first, m.data(), mode);
  sparsemat_t* const c = product_of_stars(num - n_in_first, m.data() + n_in_first, mode);
  sparsemat_t* const made = dealt_product(*b, *c, true, call);
  release(c);
  release(b);
  return made;
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* gen_star_graph(int64_t m, int mode) { return star(m, mode); }
WEAK sparsemat_t* kronecker_product_of_stars(int64_t n, int64_t* m, int mode) { return product_of_stars(n, m, mode); }
WEAK sparsemat_t* kronecker_product_graph_local(sparsemat_t* b, sparsemat_t* c) { return local_product(*b, *c); }
WEAK sparsemat_t* kronecker_product_graph_dist(sparsemat_t* b, sparsemat_t* c) {
  return dealt_product(*b, *c, true, "kronecker_product_graph_dist");
}

WEAK sparsemat_t* generate_kronecker_graph_from_spec(int mode, int* spec, int num) {
  return compat::kronecker(mode, spec, num, "generate_kronecker_graph_from_spec");
}

WEAK int64_t calc_num_tri_kron_graph(int mode, int* spec, int num) {
  if (mode == 1) {
    std::int64_t closed_walks = 1;  // of three steps
    std::int64_t n_at_hub = 1;
    for (int i = 0; i < num; ++i) {
      closed_walks *= 3 * spec[i] + 1;
      n_at_hub *= spec[i] + 1;
    }
    return (closed_walks - 3 * n_at_hub + 2) / 6;
  }
  if (mode == 2) {
    const std::int64_t power = std::int64_t{1} << num;
    return (power * power - 3 * power + 2) / 6;
  }
  return 0;
}

WEAK sparsemat_t* gen_star(int64_t m, int mode) { return star(m, mode); }
WEAK sparsemat_t* gen_local_mat_from_stars(int64_t n, int64_t* m, int mode) { return product_of_stars(n, m, mode); }
WEAK sparsemat_t* kron_prod(sparsemat_t* b, sparsemat_t* c) { return local_product(*b, *c); }
WEAK sparsemat_t* kron_prod_dist(sparsemat_t* b, sparsemat_t* c, int64_t lower) {
  return dealt_product(*b, *c, lower != 0, "kron_prod_dist");
}

}  // extern "C"
