// Evaluates an answer that is spread over the PEs: its top, all of it, and how good it is.
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
  mine.reserve(p.ranks.size());
  for (std::size_t v = 0; v < p.ranks.size(); ++v) {
    mine.push_back({p.ranks[v], p.edges.global_row(v)});
  }
  const auto n_mine = static_cast<std::ptrdiff_t>(std::min(n_top, mine.size()));
  std::ranges::partial_sort(mine, mine.begin() + n_mine, is_before);

  // Ranks are positive, so the zeros of a PE with fewer vertices come last.
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

namespace {

// For each vertex of this PE, the sum of the shares of those that point to it.
std::vector<double> sums_by_gets(world& w, const problem& p, const std::vector<double>& shares) {
  const bool has_incoming = p.given.along == direction::pull || p.given.is_undirected;
  const sparse_matrix incoming = has_incoming ? p.edges : transpose(w, p.edges);
  const auto all_shares = w.allocate<double>(static_cast<std::size_t>(incoming.rows.n_local(0)));
  std::ranges::copy(shares, w.local(all_shares).begin());
  w.barrier();
  std::vector<double> sums(shares.size());
  for (std::size_t v = 0; v < sums.size(); ++v) {
    for (const std::int64_t u : incoming.row(v)) {
      const auto [pe, local] = incoming.rows.place_of(u);
      sums[v] += w.get(all_shares, local, pe);
    }
  }
  w.deallocate(all_shares);  // collective: no PE frees its shares before all have read them
  return sums;
}

std::vector<double> sums_by_messages(world& w, const problem& p, const std::vector<double>& shares) {
  const bool has_outgoing = p.given.along == direction::push || p.given.is_undirected;
  const sparse_matrix outgoing = has_outgoing ? p.edges : transpose(w, p.edges);
  std::vector<double> sums(shares.size());
  actor add{w, [&](const contribution& c) { sums[c.to] += c.share; }};
  w.finish([&] {
    for (std::size_t u = 0; u < shares.size(); ++u) {
      for (const std::int64_t v : outgoing.row(u)) {
        const auto [pe, local] = outgoing.rows.place_of(v);
        add.send(pe, contribution{shares[u], narrow(local)});
      }
    }
  });
  return sums;
}

}  // namespace

double residual(world& w, const problem& p, bool is_one_sided) {
  std::vector<double> shares(p.ranks.size());
  double dangling = 0;
  for (std::size_t u = 0; u < p.ranks.size(); ++u) {
    if (p.out_degree[u] == 0) {
      dangling += p.ranks[u];
    } else {
      shares[u] = p.ranks[u] / static_cast<double>(p.out_degree[u]);
    }
  }
  const double damping = p.given.damping;
  const double jumped = (1 - damping + damping * w.sum(dangling)) / static_cast<double>(p.edges.n_rows());
  const std::vector<double> sums = is_one_sided ? sums_by_gets(w, p, shares) : sums_by_messages(w, p, shares);
  double change = 0;
  for (std::size_t v = 0; v < sums.size(); ++v) change += std::abs(jumped + damping * sums[v] - p.ranks[v]);
  return w.sum(change);
}

}  // namespace shoal::kernels::pagerank
