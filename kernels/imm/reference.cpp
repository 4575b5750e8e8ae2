// IMM, the plain way: one set after the other, and a count of all sets for each vertex that is chosen.
#include <algorithm>

#include "kernels/imm/problem.hpp"

namespace shoal::kernels::imm {
namespace {

using graph = std::vector<std::vector<std::size_t>>;  // of each vertex, from where edges lead to it

// `last_set`: for each vertex, the last set that it was in, plus one.
std::vector<std::size_t> make_set(const parameters& given, const graph& sources, purpose of, std::uint32_t set,
                                  std::vector<std::uint32_t>& last_set) {
  const std::uint64_t key = key_of(given, of);
  const auto n = static_cast<std::int64_t>(sources.size());
  std::vector<std::size_t> members = {static_cast<std::size_t>(root_of(key, set, n))};
  last_set[members.front()] = set + 1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::vector<std::size_t>& from = sources[members[i]];
    const double probability =
        given.probability != 0 ? given.probability : 1 / static_cast<double>(std::max<std::size_t>(1, from.size()));
    open_edges edges(key, set, static_cast<std::int64_t>(members[i]), 1 / std::log1p(-probability));
    for (std::size_t at = edges.next(0, from.size()); at < from.size(); at = edges.next(at + 1, from.size())) {
      if (last_set[from[at]] == set + 1) continue;
      last_set[from[at]] = set + 1;
      members.push_back(from[at]);
    }
  }
  return members;
}

selection choose_greedily(std::size_t n_vertices, std::vector<std::vector<std::size_t>> sets, std::uint64_t n_seeds) {
  selection found;
  std::vector<char> is_chosen(n_vertices, 0);
  while (found.seeds.size() < n_seeds) {
    std::vector<std::uint32_t> counts(n_vertices, 0);
    for (const auto& set : sets) {
      for (const std::size_t v : set) ++counts[v];
    }
    std::size_t best = n_vertices;
    for (std::size_t v = 0; v < n_vertices; ++v) {
      if (is_chosen[v] == 0 && (best == n_vertices || counts[v] > counts[best])) best = v;
    }
    is_chosen[best] = 1;
    std::erase_if(sets, [&](const auto& set) { return std::ranges::find(set, best) != set.end(); });
    found.seeds.push_back(static_cast<std::int64_t>(best));
    found.gains.push_back(counts[best]);
  }
  return found;
}

std::vector<std::uint32_t> gains_of(const std::vector<std::int64_t>& seeds,
                                    const std::vector<std::vector<std::size_t>>& sets) {
  std::vector<std::uint32_t> gains(seeds.size(), 0);
  for (const auto& set : sets) {
    const auto first = std::ranges::find_if(
        seeds, [&](std::int64_t v) { return std::ranges::count(set, static_cast<std::size_t>(v)) != 0; });
    if (first != seeds.end()) ++gains[static_cast<std::size_t>(first - seeds.begin())];
  }
  return gains;
}

}  // namespace

answer reference(const parameters& given, std::int64_t n_vertices, const std::vector<entry>& incoming) {
  const auto n = static_cast<std::size_t>(n_vertices);
  graph sources(n);
  for (const auto [to, from] : incoming) {
    sources[static_cast<std::size_t>(to)].push_back(static_cast<std::size_t>(from));
  }
  for (auto& each : sources) std::ranges::sort(each);
  const auto sets_until = [&](purpose of, double end) {
    std::vector<std::vector<std::size_t>> sets;
    std::vector<std::uint32_t> last_set(n, 0);
    for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(std::ceil(end)); ++s) {
      sets.push_back(make_set(given, sources, of, s, last_set));
    }
    return sets;
  };

  auto lower_bound = static_cast<double>(given.n_seeds);
  for (std::uint64_t round = 1; round <= n_rounds(n_vertices); ++round) {
    const auto sets = sets_until(purpose::find_number, n_sets_of_round(given, n_vertices, round));
    const auto n_covered = static_cast<double>(choose_greedily(n, sets, given.n_seeds).n_covered());
    const double shown = shown_influence(given, n_vertices, round, n_covered / static_cast<double>(sets.size()));
    if (shown == 0) continue;
    lower_bound = std::max(lower_bound, shown);
    break;
  }
  const auto sets = sets_until(purpose::choose, n_sets_to_choose(given, n_vertices, lower_bound));
  answer found{.n_sets = sets.size(), .chosen = choose_greedily(n, sets, given.n_seeds)};
  const auto n_fresh = static_cast<double>(n_sets_to_estimate(sets.size()));
  found.fresh_gains = gains_of(found.chosen.seeds, sets_until(purpose::estimate, n_fresh));
  return found;
}

}  // namespace shoal::kernels::imm
