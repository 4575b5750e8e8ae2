// Distributed arrays: push adds to elements of one, and pull gathers an element for each edge, by plain loads within a
// node.
#include <algorithm>
#include <numeric>

#include "kernels/pagerank/problem.hpp"
#include "shoal/pgas.hpp"

namespace shoal::kernels::pagerank {
namespace {

void push(world& w, problem& p) {
  distributed_array<double> sums(w, p.edges.rows);
  iterate(w, p, [&] {
    std::ranges::fill(sums.local(), 0.0);
    w.finish([&] {
      for (std::size_t u = 0; u < p.shares.size(); ++u) {
        for (const std::int64_t v : p.edges.row(u)) sums.add(v, p.shares[u]);
      }
    });
    std::ranges::copy(sums.local(), p.sums.begin());
  });
}

void pull(world& w, problem& p) {
  distributed_array<double> shares(w, p.edges.rows);
  std::vector<double> got(p.edges.columns.size());
  iterate(w, p, [&] {
    std::ranges::copy(p.shares, shares.local().begin());
    shares.gather(p.edges.columns, got);
    auto next = got.begin();
    for (std::size_t v = 0; v < p.sums.size(); ++v) {
      const auto end = next + static_cast<std::ptrdiff_t>(p.edges.row(v).size());
      p.sums[v] = std::accumulate(next, end, 0.0);
      next = end;
    }
  });
}

}  // namespace

void run_array(world& w, problem& p) { p.given.along == direction::push ? push(w, p) : pull(w, p); }

std::uint64_t n_array_messages(world& w, const problem& p) {
  if (p.given.along == direction::push) return p.edges.columns.size();
  const distributed_array<double> shares(w, p.edges.rows);
  return 2 * static_cast<std::uint64_t>(std::ranges::count_if(
                 p.edges.columns, [&](std::int64_t u) { return !shares.reads_directly(shares.owner(u)); }));
}

}  // namespace shoal::kernels::pagerank
