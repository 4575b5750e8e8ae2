// One-sided: gets the row of each edge's lower end once, and looks up the other lower neighbours of the higher end in it.
// Counts and sums of other PEs are changed by atomic additions.
#include <span>
#include <vector>

#include "kernels/readable_rows.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

// Numbers that all PEs add to. Those that this PE adds to its own, it adds where they are in the end.
template <class T>
class shared_sums {
public:
  shared_sums(world& w, std::size_t size) : w_(w), sums_(w.allocate<T>(w.max(size))) {}

  void add(pe_id pe, std::size_t index, T value) { w_.fetch_add(sums_, index, value, pe); }

  // Collective: waits until all PEs have added, and gives back the memory.
  void take(std::vector<T>& into) {
    w_.quiet();
    w_.barrier();
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += w_.local(sums_)[i];
    w_.deallocate(sums_);
  }

private:
  world& w_;
  symmetric<T> sums_;
};

void count_at_edges(world& w, problem& p) {
  const readable_rows rows(w, p.lower);
  shared_sums<std::uint32_t> counts(w, p.n_at_edge.size());
  std::vector<std::int64_t> row;
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    const std::span<const std::int64_t> below = p.lower.row(i);
    const std::uint32_t edge = p.first_edge(i);
    for (std::uint32_t k = 1; k < below.size(); ++k) {
      const auto [pe, local] = p.lower.rows.place_of(below[k]);
      const auto at = static_cast<std::size_t>(local);
      p.n_messages += 3;
      const std::int64_t begin = w.get(rows.offsets, at, pe);
      row.resize(static_cast<std::size_t>(w.get(rows.offsets, at + 1, pe) - begin));
      if (row.empty()) continue;
      w.get(rows.columns, static_cast<std::size_t>(begin), std::span(row), pe);
      for_each_common(below.first(k), std::span<const std::int64_t>(row), [&](std::size_t l, std::size_t in_row) {
        ++p.n_at_edge[edge + k];
        ++p.n_at_edge[edge + l];
        counts.add(pe, static_cast<std::size_t>(begin) + in_row, 1);
        ++p.n_messages;
      });
    }
  }
  counts.take(p.n_at_edge);
  rows.deallocate(w);
}

void count_at_vertices(world& w, problem& p) {
  shared_sums<std::uint64_t> counts(w, p.n_at_vertex.size());
  for_each_count(p, [&](pe_id owner, edge_count c) { counts.add(owner, c.row, c.n_triangles); });
  counts.take(p.n_at_vertex);
}

void sum_up(world& w, problem& p) {
  const auto n_at_vertex = w.allocate<std::uint64_t>(w.max(p.n_at_vertex.size()));
  std::ranges::copy(p.n_at_vertex, w.local(n_at_vertex).begin());
  shared_sums<std::uint64_t> numerators(w, p.numerators.size());
  w.barrier();  // all counts are written before the first is read
  for_each_meeting(p, [&](pe_id owner, const meeting& m) {
    numerators.add(owner, m.row, m.end.share());
    ++p.n_messages;
    add(p, {share_of(w.get(n_at_vertex, m.row, owner), m.end.is_in_triangle()), m.neighbour});
  });
  numerators.take(p.numerators);
  w.deallocate(n_at_vertex);
}

}  // namespace

void run_agp(world& w, problem& p) {
  count_at_edges(w, p);
  count_at_vertices(w, p);
  begin_numerators(p);
  sum_up(w, p);
}

}  // namespace shoal::kernels::triangle_centrality
