// Looking at an answer that is spread over the PEs: its top, all of it, and how good it is.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {

std::vector<ranked> top(world& w, const problem& p) {
  const auto is_before = [](const ranked& a, const ranked& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.vertex < b.vertex;
  };
  std::vector<ranked> mine;
  for (std::size_t v = 0; v < p.ranks.size(); ++v) {
    mine.push_back({p.ranks[v], p.edges.global_row(v)});
  }
  const auto n_mine = static_cast<std::ptrdiff_t>(std::min(n_top, mine.size()));
  std::ranges::partial_sort(mine, mine.begin() + n_mine, is_before);

  // Ranks are positive, so what a PE with fewer vertices leaves at 0 ends up last.
  std::array<ranked, n_top> offered{};
  std::copy_n(mine.begin(), n_mine, offered.begin());
  std::vector<ranked> all;
  for (const auto& of_one : w.gather(offered)) all.insert(all.end(), of_one.begin(), of_one.end());
  std::ranges::sort(all, is_before);
  all.resize(std::min(n_top, static_cast<std::size_t>(p.edges.n_rows())));
  return all;
}

std::vector<double> gather_ranks(world& w, const problem& p) {
  std::vector<double> ranks(w.my_pe() == 0 ? static_cast<std::size_t>(p.edges.n_rows()) : 0);
  actor keep{w, [&](const ranked& r) { ranks[static_cast<std::size_t>(r.vertex)] = r.rank; }};
  w.finish([&] {
    for (std::size_t v = 0; v < p.ranks.size(); ++v) {
      keep.send(0, ranked{p.ranks[v], p.edges.global_row(v)});
    }
  });
  return ranks;
}

ranking reference_of(world& w, const problem& p) {
  std::vector<entry> edges = gather_on_first_pe(w, p.edges);
  if (w.my_pe() != 0) return {};
  if (p.given.along == direction::pull) {
    for (auto& [from, to] : edges) std::swap(from, to);
  }
  return reference(p.edges.n_rows(), edges, p.given);
}

double residual(world& w, const problem& p) {
  const bool has_incoming = p.given.along == direction::pull || p.given.is_undirected;
  const sparse_matrix incoming = has_incoming ? p.edges : transpose(w, p.edges);
  const auto shares = w.allocate<double>(static_cast<std::size_t>(incoming.rows.n_local(0)));
  double dangling = 0;
  for (std::size_t u = 0; u < p.ranks.size(); ++u) {
    if (p.out_degree[u] == 0) {
      dangling += p.ranks[u];
    } else {
      w.local(shares)[u] = p.ranks[u] / static_cast<double>(p.out_degree[u]);
    }
  }
  const double damping = p.given.damping;
  const double jumped =
      (1 - damping + damping * w.sum(dangling)) / static_cast<double>(p.edges.n_rows());
  double change = 0;
  for (std::size_t v = 0; v < p.ranks.size(); ++v) {
    double sum = 0;
    for (const std::int64_t u : incoming.row(v)) {
      const auto [pe, local] = incoming.rows.place_of(u);
      sum += w.get(shares, local, pe);
    }
    change += std::abs(jumped + damping * sum - p.ranks[v]);
  }
  change = w.sum(change);
  w.deallocate(shares);
  return change;
}

}  // namespace shoal::kernels::pagerank
