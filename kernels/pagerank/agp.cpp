// Plain one-sided access: an atomic addition for each edge (push), or a get for each edge (pull). They run one after
// the other, or all of an iteration at once.
#include <algorithm>
#include <cmath>

#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {
namespace {

// Elements of a symmetric array for all vertices: no PE has more vertices than PE 0.
std::size_t n_slots(const problem& p) { return static_cast<std::size_t>(p.edges.rows.n_local(0)); }

// Atomics add integers, so shares travel as multiples of 2^-62: all ranks together are 1 and cannot overflow. Rounding
// costs at most 2^-63 an edge, and the sums do not depend on the order of additions.
constexpr double units = 0x1p62;

// Calls `add` as add(sums, local, share, pe).
template <class Add>
void push(world& w, problem& p, const Add& add) {
  const auto sums = w.allocate<std::int64_t>(n_slots(p));
  iterate(w, p, [&] {
    std::ranges::fill(w.local(sums), 0);
    w.barrier();  // all sums are zero before the first addition
    for (std::size_t u = 0; u < p.shares.size(); ++u) {
      const auto share = static_cast<std::int64_t>(std::nearbyint(p.shares[u] * units));
      for (const std::int64_t v : p.edges.row(u)) {
        const auto [pe, local] = p.edges.rows.place_of(v);
        add(sums, local, share, pe);
      }
    }
    w.quiet();
    w.barrier();  // all additions are done before the sums are read
    for (std::size_t v = 0; v < p.sums.size(); ++v) {
      p.sums[v] = static_cast<double>(w.local(sums)[v]) / units;
    }
  });
  w.deallocate(sums);
}

void pull(world& w, problem& p) {
  const auto shares = w.allocate<double>(n_slots(p));
  iterate(w, p, [&] {
    std::ranges::copy(p.shares, w.local(shares).begin());
    w.barrier();  // all shares are written before the first is read
    for (std::size_t v = 0; v < p.sums.size(); ++v) {
      for (const std::int64_t u : p.edges.row(v)) {
        const auto [pe, local] = p.edges.rows.place_of(u);
        p.sums[v] += w.get(shares, local, pe);
      }
    }
    // `iterate` continues with a collective call, so nobody overwrites shares that are still to be read.
  });
  w.deallocate(shares);
}

// Room for the shares of all edges, so that the gets of an iteration need not wait for each other.
void pull_all(world& w, problem& p) {
  const auto shares = w.allocate<double>(n_slots(p));
  std::vector<double> got(static_cast<std::size_t>(p.edges.n_local_entries()));
  iterate(w, p, [&] {
    std::ranges::copy(p.shares, w.local(shares).begin());
    w.barrier();  // all shares are written before the first is read
    auto into = got.begin();
    for (std::size_t v = 0; v < p.sums.size(); ++v) {
      for (const std::int64_t u : p.edges.row(v)) {
        const auto [pe, local] = p.edges.rows.place_of(u);
        w.start_get(shares, local, *into++, pe);
      }
    }
    w.quiet();
    into = got.begin();
    for (std::size_t v = 0; v < p.sums.size(); ++v) {
      for (std::size_t n = p.edges.row(v).size(); n > 0; --n) p.sums[v] += *into++;
    }
  });
  w.deallocate(shares);
}

}  // namespace

void run_agp(world& w, problem& p) {
  if (p.given.along == direction::pull) return pull(w, p);
  push(w, p, [&](auto sums, std::int64_t local, std::int64_t share, pe_id pe) { w.fetch_add(sums, local, share, pe); });
}

void run_agp_nb(world& w, problem& p) {
  if (p.given.along == direction::pull) return pull_all(w, p);
  push(w, p, [&](auto sums, std::int64_t local, std::int64_t share, pe_id pe) { w.start_add(sums, local, share, pe); });
}

}  // namespace shoal::kernels::pagerank
