// The greedy choice. A heap has every vertex with an old number of its sets. Numbers only fall, so the top is the best one
// as soon as its number is not old ("lazy greedy": Minoux, "Accelerated greedy algorithms for maximizing submodular set
// functions", 1978).
#include "kernels/imm/selection.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace shoal::kernels::imm {
namespace {

// Sorts by counting: key_of(member) is the list, element_of(member) what goes into it.
template <class KeyOf, class ElementOf>
lists lists_of(std::span<const membership> members, std::size_t n_keys, KeyOf key_of, ElementOf element_of) {
  lists made{.offsets = std::vector<std::uint64_t>(n_keys + 1), .elements = std::vector<std::uint32_t>(members.size())};
  for (const membership m : members) ++made.offsets[key_of(m) + 1];
  std::partial_sum(made.offsets.begin(), made.offsets.end(), made.offsets.begin());
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (const membership m : members) made.elements[next[key_of(m)]++] = element_of(m);
  return made;
}

// A number of sets and a vertex in one word: the largest word has most sets, then the lowest vertex.
std::uint64_t candidate(std::uint64_t n_sets, std::int64_t vertex) {
  return n_sets << 32 | (UINT32_MAX - static_cast<std::uint32_t>(vertex));
}
std::int64_t vertex_of(std::uint64_t candidate) { return UINT32_MAX - static_cast<std::uint32_t>(candidate); }
std::uint32_t n_sets_of(std::uint64_t candidate) { return static_cast<std::uint32_t>(candidate >> 32); }

}  // namespace

sets_of_vertices::sets_of_vertices(std::span<const membership> members, std::size_t n_local_vertices,
                                   std::size_t n_sets)
    : of_vertex(lists_of(
          members, n_local_vertices, [](membership m) { return m.vertex; }, [](membership m) { return m.set; })),
      in_set(lists_of(members, n_sets, [](membership m) { return m.set; }, [](membership m) { return m.vertex; })) {}

selection choose(world& w, const distribution& vertices, const sets_of_vertices& sets, std::size_t n) {
  const pe_id me = w.my_pe();
  std::vector<std::uint32_t> counts;  // sets of a vertex that are not covered
  std::vector<std::uint64_t> all;
  for (std::size_t v = 0; v < sets.of_vertex.size(); ++v) {
    counts.push_back(static_cast<std::uint32_t>(sets.of_vertex[v].size()));
    all.push_back(candidate(counts[v], vertices.global(me, static_cast<std::int64_t>(v))));
  }
  std::priority_queue<std::uint64_t> heap({}, std::move(all));
  const auto count_of = [&](std::uint64_t c) { return counts[static_cast<std::size_t>(vertices.local(vertex_of(c)))]; };
  std::vector<char> is_covered(sets.in_set.size(), 0);
  selection found;
  std::vector<std::uint32_t> covered;
  while (found.seeds.size() < std::min(n, static_cast<std::size_t>(vertices.n()))) {
    while (!heap.empty() && count_of(heap.top()) != n_sets_of(heap.top())) {
      const std::uint64_t old = heap.top();
      heap.pop();
      heap.push(candidate(count_of(old), vertex_of(old)));
    }
    const std::uint64_t best = w.max(heap.empty() ? 0 : heap.top());
    const auto [owner, local] = vertices.place_of(vertex_of(best));
    covered.clear();
    if (owner == me) {
      heap.pop();
      for (const std::uint32_t set : sets.of_vertex[static_cast<std::size_t>(local)]) {
        if (is_covered[set] == 0) covered.push_back(set);
      }
    }
    covered.resize(n_sets_of(best));
    if (!covered.empty()) w.broadcast(std::span(covered), owner);
    for (const std::uint32_t set : covered) {
      is_covered[set] = 1;
      for (const std::uint32_t v : sets.in_set[set]) --counts[v];
    }
    found.seeds.push_back(vertex_of(best));
    found.gains.push_back(n_sets_of(best));
  }
  return found;
}

std::vector<std::uint32_t> gains_in(world& w, const distribution& vertices, const sets_of_vertices& sets,
                                    std::span<const std::int64_t> seeds) {
  const auto none = static_cast<std::uint32_t>(seeds.size());
  std::vector<std::uint32_t> first_ranks(sets.in_set.size(), none);  // of the chosen vertices in each set
  for (std::uint32_t rank = none; rank-- > 0;) {
    const auto [owner, local] = vertices.place_of(seeds[rank]);
    if (owner != w.my_pe()) continue;
    for (const std::uint32_t set : sets.of_vertex[static_cast<std::size_t>(local)]) first_ranks[set] = rank;
  }
  w.min(std::span(first_ranks));
  std::vector<std::uint32_t> gains(seeds.size(), 0);
  for (const std::uint32_t rank : first_ranks) {
    if (rank != none) ++gains[rank];
  }
  return gains;
}

}  // namespace shoal::kernels::imm
