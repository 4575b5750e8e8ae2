// One-sided: in rounds, because nobody tells a PE which of its rows lost an entry. In each round, every PE takes its rows
// that have one entry left, and takes their columns away from all rows by atomic additions.
#include <span>

#include "kernels/readable_rows.hpp"
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {

void run_agp(world& w, problem& p) {
  const readable_rows columns(w, p.columns);
  const std::size_t n_rows = w.max(p.n_left.size());
  const auto n_left = w.allocate<std::int64_t>(n_rows);
  const auto sum_left = w.allocate<std::int64_t>(n_rows);
  const std::span<std::int64_t> my_n_left = w.local(n_left).first(p.n_left.size());
  const std::span<std::int64_t> my_sum_left = w.local(sum_left).first(p.n_left.size());
  std::ranges::copy(p.n_left, my_n_left.begin());
  std::ranges::copy(p.sum_left, my_sum_left.begin());
  w.barrier();
  std::int64_t n_taken = 0;
  std::vector<std::uint32_t> taken;
  std::vector<std::int64_t> rows;
  for (std::uint32_t level = 0; w.sum(n_taken) != p.rows.n_rows(); ++level) {
    taken.clear();
    for (std::size_t r = 0; r < my_n_left.size(); ++r) {
      if (my_n_left[r] == 1) taken.push_back(static_cast<std::uint32_t>(r));
    }
    for (const std::uint32_t r : taken) {
      p.levels[r] = level;
      p.matches[r] = static_cast<std::uint32_t>(my_sum_left[r]);
    }
    w.barrier();  // all have looked before the first loses an entry
    for (const std::uint32_t r : taken) {
      const std::int64_t column = p.matches[r];
      const auto [pe, local] = p.columns.rows.place_of(column);
      const auto at = static_cast<std::size_t>(local);
      const std::int64_t begin = w.get(columns.offsets, at, pe);
      rows.resize(static_cast<std::size_t>(w.get(columns.offsets, at + 1, pe) - begin));
      w.get(columns.columns, static_cast<std::size_t>(begin), std::span(rows), pe);
      for (const std::int64_t row : rows) {
        const auto [owner, its] = p.rows.rows.place_of(row);
        w.start_add(sum_left, static_cast<std::size_t>(its), -column, owner);
        w.start_add(n_left, static_cast<std::size_t>(its), std::int64_t{-1}, owner);
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

}  // namespace shoal::kernels::toposort
