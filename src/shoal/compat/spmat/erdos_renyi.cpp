// Erdos-Renyi graphs by skips between edges (Batagelj and Brandes, "Efficient generation of large random networks",
// 2005), from the same stream as bale's, so that graphs which others published come out again.
#include <algorithm>
#include <cmath>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/random_stream.hpp"

namespace compat = shoal::internal::compat;

namespace {

struct graph_kind {
  bool is_directed;
  bool has_loops;
  bool is_weighted;
};

// Distances between edges, from the random stream.
class skips {
public:
  explicit skips(double p) : scale_(std::log(1 - std::fmin(p, 1))) {}

  std::int64_t next() const {
    constexpr std::int64_t beyond_all = std::int64_t{1} << 60;
    if (!(scale_ < 0)) return beyond_all;  // there are no edges
    const double n = std::floor(std::log(1 - compat::random_stream().next()) / scale_);
    return n < static_cast<double>(beyond_all) ? 1 + static_cast<std::int64_t>(n) : beyond_all;
  }

private:
  double scale_;
};

// Calls `take(column)` for each nonzero of the local row, `end_row(lrow)` after each row.
template <class Take, class EndRow>
void generate(std::int64_t n, double p, const graph_kind& kind, std::int64_t seed, Take take, EndRow end_row) {
  compat::seed_random_stream(seed);
  const compat::dealing deal;
  const skips distances(p);
  std::int64_t column = distances.next();
  for (std::int64_t i = 0; i < deal.n_here(n); ++i) {
    const std::int64_t row = deal.global(i);
    const std::int64_t end = kind.is_directed ? n : row;
    bool needs_loop = kind.has_loops;
    for (; column < end; column += distances.next()) {
      take(column);
      needs_loop = needs_loop && column != row;
    }
    if (needs_loop) take(row);
    end_row(i);
    column -= end;
  }
}

sparsemat_t* skipping(std::int64_t n, double p, const graph_kind& kind, std::int64_t seed, const char* call) {
  std::int64_t lnnz = 0;
  const auto count = [&](std::int64_t) { ++lnnz; };
  generate(n, p, kind, seed, count, [](std::int64_t) {});
  sparsemat_t* const made = compat::make_matrix(n, n, lnnz, kind.is_weighted, call);
  if (made == nullptr) return nullptr;
  std::int64_t k = 0;
  const auto store = [&](std::int64_t column) { made->lnonzero[k++] = column; };
  generate(n, p, kind, seed, store, [&](std::int64_t i) { made->loffset[i + 1] = k; });
  if (kind.is_weighted) {
    for (std::int64_t i = 0; i < lnnz; ++i) made->lvalue[i] = compat::random_stream().next();
  }
  if (kind.is_directed && kind.has_loops) compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}

// The nonzeros of both.
sparsemat_t* merged(const sparsemat_t& a, const sparsemat_t& b, const char* call) {
  sparsemat_t* const made = compat::make_matrix(a.numrows, a.numcols, a.lnnz + b.lnnz, false, call);
  if (made == nullptr) return nullptr;
  std::int64_t* end = made->lnonzero;
  for (std::int64_t i = 0; i < a.lnumrows; ++i) {
    for (const sparsemat_t* const part : {&a, &b}) end = std::ranges::copy(compat::row_of(*part, i), end).out;
    made->loffset[i + 1] = end - made->lnonzero;
  }
  compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* erdos_renyi(std::int64_t n, double p, edge_type type, self_loops loops, std::int64_t seed,
                         const char* call) {
  return skipping(n, p, {is_directed(type), loops == LOOPS, is_weighted(type)}, seed, call);
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* erdos_renyi_random_graph(int64_t n, double p, edge_type type, self_loops loops, uint64_t seed) {
  return compat::erdos_renyi(n, p, type, loops, static_cast<std::int64_t>(seed), "erdos_renyi_random_graph");
}

WEAK sparsemat_t* gen_erdos_renyi_graph_dist(int n, double p, int64_t unit_diagonal, int64_t mode, int64_t seed) {
  constexpr const char* call = "gen_erdos_renyi_graph_dist";
  enum : std::int64_t { symmetric, lower_half, upper_half, both_halves };
  constexpr std::int64_t far_seed = 1000003;  // of the other half
  sparsemat_t* const lower = skipping(n, p, {false, unit_diagonal != 0, false}, seed, call);
  if (lower == nullptr || mode == lower_half) return lower;
  sparsemat_t* other = nullptr;  // what becomes the upper half
  if (mode == symmetric) other = skipping(n, p, {false, false, false}, seed, call);
  if (mode == both_halves) other = skipping(n, p, {false, false, false}, seed + far_seed, call);
  sparsemat_t* const upper = mode == upper_half ? compat::transposed(*lower, call)
                             : other != nullptr ? compat::transposed(*other, call)
                                                : nullptr;
  sparsemat_t* const made = mode == upper_half || upper == nullptr ? upper : merged(*lower, *upper, call);
  if (made != upper) compat::release(upper);
  compat::release(other);
  compat::release(lower);
  return made;
}

}  // extern "C"
