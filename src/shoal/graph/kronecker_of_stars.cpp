// A vertex of the product is a vertex of each star: its number has a digit for each, the last star's counts ones. Digit 0
// is the hub. Vertices are neighbours in the product if they are in every star.
#include <algorithm>

#include "shoal/base/internal/contract.hpp"
#include "shoal/graph/generators.hpp"

namespace shoal {
namespace {

class product {
public:
  product(std::span<const std::int64_t> n_leaves, star_loop loop) : loop_(loop) {
    SHOAL_REQUIRE(!n_leaves.empty());
    for (const std::int64_t n : n_leaves) {
      SHOAL_REQUIRE(n >= 1 && n_ < (std::int64_t{1} << 62) / (n + 1));
      n_ *= n + 1;
      sizes_.push_back(n + 1);
      weights_.push_back(1);
    }
    for (std::size_t k = sizes_.size() - 1; k > 0; --k) weights_[k - 1] = weights_[k] * sizes_[k];
  }

  std::int64_t n_vertices() const { return n_; }

  // Appends the neighbours of `vertex` below it, in ascending order.
  void append_lower(std::int64_t vertex, std::vector<std::int64_t>& to) const { append(vertex, 0, vertex, 0, to); }

private:
  // `rest` has the digits of the vertex from star k on; `above` is the number that the digits of the neighbour before k
  // make. False once neighbours are no longer below the vertex.
  bool append(std::int64_t vertex, std::size_t k, std::int64_t rest, std::int64_t above,
              std::vector<std::int64_t>& to) const {
    if (k == sizes_.size()) {
      if (above >= vertex) return false;
      to.push_back(above);
      return true;
    }
    if (above >= vertex) return false;
    const std::int64_t digit = rest / weights_[k];
    rest %= weights_[k];
    const auto go_on = [&](std::int64_t neighbour) {
      return append(vertex, k + 1, rest, above + neighbour * weights_[k], to);
    };
    const std::int64_t last = sizes_[k] - 1;
    if (digit != 0) {
      if (!go_on(0)) return false;
      return digit != last || loop_ != star_loop::last_leaf || go_on(last);
    }
    for (std::int64_t leaf = loop_ == star_loop::hub ? 0 : 1; leaf <= last; ++leaf) {
      if (!go_on(leaf)) return false;
    }
    return true;
  }

  star_loop loop_;
  std::int64_t n_ = 1;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> weights_;  // what a digit counts
};

}  // namespace

sparse_matrix kronecker_of_stars(world& w, std::span<const std::int64_t> n_leaves, star_loop loop, layout rows) {
  const product stars(n_leaves, loop);
  sparse_matrix m{.rows = {rows, stars.n_vertices(), w.n_pes()}, .pe = w.my_pe(), .n_columns = stars.n_vertices()};
  const std::int64_t n_rows = m.rows.n_local(m.pe);
  for (std::int64_t r = 0; r < n_rows; ++r) {
    stars.append_lower(m.rows.global(m.pe, r), m.columns);
    m.offsets.push_back(m.n_local_entries());
  }
  return m;
}

// A triangle gives six closed walks of three steps, from three vertices in two directions, and the trace of A^3 counts
// closed walks. That of a product is the product of the traces: 0 for a star without a loop, 3m + 1 with one at the hub of
// m leaves, 4 with one at a leaf. One vertex of the product has a loop; if its degree is d, itself included, 3(d - 1) + 1
// of the walks use the loop.
std::uint64_t n_triangles_of_stars(std::span<const std::int64_t> n_leaves, star_loop loop) {
  if (loop == star_loop::none) return 0;
  __extension__ unsigned __int128 walks = 1;
  __extension__ unsigned __int128 degree = 1;
  for (const std::int64_t n : n_leaves) {
    const auto m = static_cast<std::uint64_t>(n);
    walks *= loop == star_loop::hub ? 3 * m + 1 : 4;
    degree *= loop == star_loop::hub ? m + 1 : 2;
  }
  return static_cast<std::uint64_t>((walks - 3 * (degree - 1) - 1) / 6);
}

}  // namespace shoal
