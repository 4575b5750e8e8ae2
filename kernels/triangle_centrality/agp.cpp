// One-sided: gets the row of each edge's lower end once, and looks up the other lower neighbours of the higher end in it.
// Counts and sums of other PEs are changed by atomic additions. The nonblocking variant gets the rows of all lower
// neighbours of a vertex at once, and waits for additions, and for the counts of neighbours, in the end.
#include <span>
#include <vector>

#include "kernels/readable_rows.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

enum class waiting { for_each, at_the_end };

// Numbers that all PEs add to. Those that this PE adds to its own, it adds where they are in the end.
template <waiting W, class T>
class shared_sums {
public:
  shared_sums(world& w, std::size_t size) : w_(w), sums_(w.allocate<T>(w.max(size))) {}

  void add(pe_id pe, std::size_t index, T value) {
    if constexpr (W == waiting::for_each) {
      w_.fetch_add(sums_, index, value, pe);
    } else {
      w_.start_add(sums_, index, value, pe);
    }
  }

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

template <waiting W>
void count_at_edges(world& w, problem& p) {
  const readable_rows rows(w, p.lower);
  shared_sums<W, std::uint32_t> counts(w, p.n_at_edge.size());
  one_row single(w, rows);
  rows_at_once all(w, rows);
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    const std::span<const std::int64_t> below = p.lower.row(i);
    const std::uint32_t edge = p.first_edge(i);
    if (W == waiting::at_the_end && below.size() > 1) all.get(below);
    for (std::uint32_t k = 1; k < below.size(); ++k) {
      const bool is_single = W == waiting::for_each;
      const std::span<const std::int64_t> row = is_single ? single.get(below[k]) : all.row(k);
      const std::size_t begin = is_single ? single.begin() : all.begin(k);
      const pe_id pe = p.lower.rows.place_of(below[k]).pe;
      p.n_messages += 3;
      for_each_common(below.first(k), row, [&](std::size_t l, std::size_t in_row) {
        ++p.n_at_edge[edge + k];
        ++p.n_at_edge[edge + l];
        counts.add(pe, begin + in_row, 1);
        ++p.n_messages;
      });
    }
  }
  counts.take(p.n_at_edge);
  rows.deallocate(w);
}

template <waiting W>
void count_at_vertices(world& w, problem& p) {
  shared_sums<W, std::uint64_t> counts(w, p.n_at_vertex.size());
  for_each_count(p, [&](pe_id owner, edge_count c) { counts.add(owner, c.row, c.n_triangles); });
  counts.take(p.n_at_vertex);
}

template <waiting W>
void sum_up(world& w, problem& p) {
  const auto n_at_vertex = w.allocate<std::uint64_t>(w.max(p.n_at_vertex.size()));
  std::ranges::copy(p.n_at_vertex, w.local(n_at_vertex).begin());
  shared_sums<W, std::uint64_t> numerators(w, p.numerators.size());
  w.barrier();  // all counts are written before the first is read
  std::vector<std::uint64_t> at_neighbours(W == waiting::at_the_end ? p.n_at_edge.size() : 0);
  std::size_t edge = 0;
  for_each_meeting(p, [&](pe_id owner, const meeting& m) {
    numerators.add(owner, m.row, m.end.share());
    ++p.n_messages;
    if constexpr (W == waiting::for_each) {
      add(p, {share_of(w.get(n_at_vertex, m.row, owner), m.end.is_in_triangle()), m.neighbour});
    } else {
      w.start_get(n_at_vertex, m.row, at_neighbours[edge++], owner);
    }
  });
  numerators.take(p.numerators);
  if constexpr (W == waiting::at_the_end) {
    for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
      for (edge = p.first_edge(i); edge < p.first_edge(i + 1); ++edge) {
        add(p, {share_of(at_neighbours[edge], p.n_at_edge[edge] != 0), static_cast<std::uint32_t>(i)});
      }
    }
  }
  w.deallocate(n_at_vertex);
}

template <waiting W>
void run(world& w, problem& p) {
  count_at_edges<W>(w, p);
  count_at_vertices<W>(w, p);
  begin_numerators(p);
  sum_up<W>(w, p);
}

}  // namespace

void run_agp(world& w, problem& p) { run<waiting::for_each>(w, p); }
void run_agp_nb(world& w, problem& p) { run<waiting::at_the_end>(w, p); }

}  // namespace shoal::kernels::triangle_centrality
