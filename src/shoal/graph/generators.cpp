#include "shoal/graph/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/random.hpp"
#include "shoal/graph/matrix_builder.hpp"

namespace shoal {
namespace {

sparse_matrix empty_matrix(world& w, layout kind, std::int64_t n) {
  return {.rows = {kind, n, w.n_pes()}, .pe = w.my_pe(), .n_columns = n};
}

// Calls add(c) for each c in [0, n) with probability p, in ascending order. `per_skip` is 1 / log(1 - p): how many are
// skipped before the next one has a geometric distribution.
template <class Add>
void draw_some(random_engine& random, std::int64_t n, double per_skip, Add&& add) {
  for (std::int64_t c = 0;; ++c) {
    const double skipped = std::log(1 - random.uniform()) * per_skip;
    if (!(skipped < static_cast<double>(n - c))) return;  // also if nothing was to be drawn
    c += static_cast<std::int64_t>(skipped);
    add(c);
  }
}

// Adds an edge from each vertex to itself to a graph that has none.
sparse_matrix with_loops(sparse_matrix m) {
  std::vector<std::int64_t> columns;
  columns.reserve(m.columns.size() + m.offsets.size() - 1);
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    const std::span<const std::int64_t> row = m.row(r);
    const std::int64_t me = m.global_row(r);
    const auto above = std::ranges::lower_bound(row, me);
    columns.insert(columns.end(), row.begin(), above);
    columns.push_back(me);
    columns.insert(columns.end(), above, row.end());
  }
  for (std::size_t r = 0; r < m.offsets.size(); ++r) m.offsets[r] += static_cast<std::int64_t>(r);
  m.columns = std::move(columns);
  return m;
}

// A bijection of the numbers of `n_bits` bits: each step is one.
class scrambler {
public:
  scrambler(int n_bits, std::uint64_t seed) : mask_((std::uint64_t{1} << n_bits) - 1), shift_(n_bits / 2 + 1) {
    random_engine random(seed, 1);
    for (std::uint64_t& factor : factors_) factor = random() | 1;
    for (std::uint64_t& term : terms_) term = random();
  }

  std::int64_t operator()(std::uint64_t vertex) const noexcept {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      vertex = (vertex * factors_[i] + terms_[i]) & mask_;
      vertex ^= vertex >> shift_;
    }
    return static_cast<std::int64_t>(vertex);
  }

private:
  std::uint64_t mask_;
  int shift_;
  std::array<std::uint64_t, 3> factors_{};
  std::array<std::uint64_t, 3> terms_{};
};

// Draws the quarters of a matrix into which an edge goes, with 32 random bits for each.
class quarters {
public:
  explicit quarters(const rmat_options& shape) noexcept
      : low_row_(bound(shape.a + shape.b)), first_(bound(shape.a)), third_(bound(shape.a + shape.b + shape.c)) {}

  entry draw(random_engine& random, int scale) const noexcept {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level) {
      bits = level % 2 == 0 ? random() : bits >> 32;
      const std::uint64_t drawn = bits & UINT32_MAX;
      const bool is_high_row = drawn >= low_row_;
      const bool is_high_column = is_high_row ? drawn >= third_ : drawn >= first_;
      row = 2 * row + static_cast<std::uint64_t>(is_high_row);
      column = 2 * column + static_cast<std::uint64_t>(is_high_column);
    }
    return {static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)};
  }

private:
  static std::uint64_t bound(double probability) noexcept { return static_cast<std::uint64_t>(probability * 0x1p32); }

  std::uint64_t low_row_;
  std::uint64_t first_;
  std::uint64_t third_;
};

}  // namespace

// Each row has a stream of random numbers of its own.
sparse_matrix erdos_renyi_graph(world& w, std::int64_t n, double p, const random_graph_options& options) {
  SHOAL_REQUIRE(n >= 0 && p >= 0 && p <= 1);
  sparse_matrix m = empty_matrix(w, options.rows, n);
  const std::int64_t n_rows = m.rows.n_local(m.pe);
  const double per_skip = p < 1 ? 1 / std::log1p(-p) : 0;  // -infinity for p = 0: then nothing is drawn
  const double n_columns = options.is_directed ? static_cast<double>(n - 1) : static_cast<double>(n - 1) / 2;
  const double n_expected = static_cast<double>(n_rows) * std::max(0.0, n_columns) * p;
  m.columns.reserve(static_cast<std::size_t>(n_expected + 4 * std::sqrt(n_expected)));
  m.offsets.reserve(static_cast<std::size_t>(n_rows) + 1);
  for (std::int64_t r = 0; r < n_rows; ++r) {
    const std::int64_t row = m.rows.global(m.pe, r);
    random_engine random(options.seed, static_cast<std::uint64_t>(row));
    if (p > 0) {
      draw_some(random, options.is_directed ? n - 1 : row, per_skip,
                [&](std::int64_t c) { m.columns.push_back(c + (c >= row)); });  // not to itself
    }
    m.offsets.push_back(m.n_local_entries());
  }
  return options.has_loops ? with_loops(std::move(m)) : m;
}

sparse_matrix rmat_graph(world& w, const rmat_options& shape, const random_graph_options& options) {
  SHOAL_REQUIRE(shape.scale >= 0 && shape.scale <= 40 && shape.n_edges_per_vertex >= 0);
  SHOAL_REQUIRE(shape.a >= 0 && shape.b >= 0 && shape.c >= 0 && shape.a + shape.b + shape.c <= 1 + 1e-9);
  const std::int64_t n = std::int64_t{1} << shape.scale;
  const distribution edges{layout::block, n * shape.n_edges_per_vertex, w.n_pes()};
  const quarters drawn(shape);
  const scrambler scrambled(shape.scale, options.seed);
  sparse_matrix m = assemble<entry>(w, {options.rows, n, w.n_pes()}, n, [&](auto& builder) {
    builder.reserve_share(edges.n());
    for (std::int64_t i = 0; i < edges.n_local(w.my_pe()); ++i) {
      random_engine random(options.seed, static_cast<std::uint64_t>(edges.global(w.my_pe(), i)) + 2);
      const entry found = drawn.draw(random, shape.scale);
      const std::int64_t from = scrambled(static_cast<std::uint64_t>(found.row));
      const std::int64_t to = scrambled(static_cast<std::uint64_t>(found.column));
      if (from == to) continue;
      if (options.is_directed) {
        builder.add({from, to});
      } else {
        builder.add({std::max(from, to), std::min(from, to)});
      }
    }
  });
  sum_duplicates(m);
  return options.has_loops ? with_loops(std::move(m)) : m;
}

}  // namespace shoal
