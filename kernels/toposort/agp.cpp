// One-sided: in rounds, because nobody tells a PE which of its rows lost an entry. In each round, every PE takes its rows
// that have one entry left, and takes their columns away from all rows by atomic additions. The nonblocking variant gets
// all columns of a round at once, and waits for its additions in the end of the round.
#include <span>
#include <vector>

#include "kernels/readable_rows.hpp"
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {

namespace {

enum class waiting { for_each, at_the_end };

template <waiting W>
void add(world& w, symmetric<std::int64_t> to, std::int64_t index, std::int64_t value, pe_id pe) {
  if constexpr (W == waiting::for_each) {
    w.fetch_add(to, static_cast<std::size_t>(index), value, pe);
  } else {
    w.start_add(to, static_cast<std::size_t>(index), value, pe);
  }
}

template <waiting W>
void sort_one_sided(world& w, problem& p) {
  const readable_rows columns(w, p.columns);
  const std::size_t n_rows = w.max(p.n_left.size());
  const auto n_left = w.allocate<std::int64_t>(n_rows);
  const auto sum_left = w.allocate<std::int64_t>(n_rows);
  const std::span<std::int64_t> my_n_left = w.local(n_left).first(p.n_left.size());
  const std::span<std::int64_t> my_sum_left = w.local(sum_left).first(p.n_left.size());
  std::ranges::copy(p.n_left, my_n_left.begin());
  std::ranges::copy(p.sum_left, my_sum_left.begin());
  w.barrier();
  one_row single(w, columns);
  rows_at_once all(w, columns);
  std::int64_t n_taken = 0;
  std::vector<std::int64_t> taken;  // the columns of a round
  for (std::uint32_t level = 0; w.sum(n_taken) != p.rows.n_rows(); ++level) {
    taken.clear();
    for (std::size_t r = 0; r < my_n_left.size(); ++r) {
      if (my_n_left[r] != 1) continue;
      p.levels[r] = level;
      p.matches[r] = static_cast<std::uint32_t>(my_sum_left[r]);
      taken.push_back(my_sum_left[r]);
    }
    w.barrier();  // all have looked before the first loses an entry
    if constexpr (W == waiting::at_the_end) all.get(taken);
    for (std::size_t k = 0; k < taken.size(); ++k) {
      for (const std::int64_t row : W == waiting::for_each ? single.get(taken[k]) : all.row(k)) {
        const auto [owner, its] = p.rows.rows.place_of(row);
        add<W>(w, sum_left, its, -taken[k], owner);
        add<W>(w, n_left, its, -1, owner);
      }
    }
    n_taken += static_cast<std::int64_t>(taken.size());
    w.quiet();
    w.barrier();
  }
  w.deallocate(sum_left);
  w.deallocate(n_left);
  columns.deallocate(w);
  place_by_level(w, p);
}

}  // namespace

void run_agp(world& w, problem& p) { sort_one_sided<waiting::for_each>(w, p); }
void run_agp_nb(world& w, problem& p) { sort_one_sided<waiting::at_the_end>(w, p); }

}  // namespace shoal::kernels::toposort
