#include "kernels/toposort/problem.hpp"

#include <numeric>
#include <span>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::toposort {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name != "seed") throw setup_error("toposort has no option --" + name);
    given.seed = whole_number("--seed", value, 0, INT64_MAX);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  // Per vertex: offsets of four matrices, six arrays of the search and the answer. Per edge: as read, twice in the
  // undirected graph, and in the triangle, the matrix and its transpose.
  const sparse_matrix graph = symmetrise(w, read_graph(w, given.graph, {"toposort", 4 * 8 + 36, 8 + 16 + 3 * 8}));
  const sparse_matrix upper = assemble<entry>(w, graph.rows, graph.n_columns, [&](auto& builder) {
    for (std::int64_t r = 0; r < graph.n_local_rows(); ++r) {
      const std::int64_t row = graph.global_row(r);
      builder.add({row, row});
      for (const std::int64_t column : graph.row(r)) {
        if (column > row) builder.add({row, column});
      }
    }
  });
  problem p{.given = given};
  p.rows = permute(w, upper, random_permutation(w, upper.rows, given.seed),
                   random_permutation(w, upper.columns_distribution(), given.seed + 1));
  p.columns = transpose(w, p.rows);
  p.row_places = {.indices = p.rows.rows, .pe = w.my_pe()};
  p.column_places = {.indices = p.columns.rows, .pe = w.my_pe()};
  reset(p);
  return p;
}

void reset(problem& p) {
  const auto n_rows = static_cast<std::size_t>(p.rows.n_local_rows());
  p.n_left.resize(n_rows);
  p.sum_left.resize(n_rows);
  for (std::size_t r = 0; r < n_rows; ++r) {
    const auto row = p.rows.row(static_cast<std::int64_t>(r));
    p.n_left[r] = static_cast<std::uint32_t>(row.size());
    p.sum_left[r] = std::accumulate(row.begin(), row.end(), std::int64_t{0});
  }
  p.levels.assign(n_rows, 0);
  p.matches.assign(n_rows, 0);
  p.row_places.images.assign(n_rows, 0);
  p.column_places.images.assign(static_cast<std::size_t>(p.columns.n_local_rows()), 0);
}

std::vector<std::uint32_t> first_rows(const problem& p) {
  std::vector<std::uint32_t> found;
  for (std::size_t r = 0; r < p.n_left.size(); ++r) {
    if (p.n_left[r] == 1) found.push_back(static_cast<std::uint32_t>(r));
  }
  return found;
}

void place_by_level(world& w, problem& p) {
  const std::uint32_t highest = p.levels.empty() ? 0 : std::ranges::max(p.levels);
  const auto n_levels = static_cast<std::size_t>(w.max(highest)) + 1;
  std::vector<std::int64_t> sizes(n_levels, 0);
  for (const std::uint32_t level : p.levels) ++sizes[level];
  std::vector<std::int64_t> next(n_levels);  // how many rows of this level are on PEs before this one
  w.exclusive_scan(std::span<const std::int64_t>(sizes), std::span(next));
  w.sum(std::span(sizes));
  std::exclusive_scan(sizes.begin(), sizes.end(), sizes.begin(), std::int64_t{0});

  struct placed {
    std::uint32_t column;  // local
    std::uint32_t place;
  };
  actor keep{w, [&](placed c) { p.column_places.images[c.column] = c.place; }};
  w.finish([&] {
    for (std::size_t r = 0; r < p.levels.size(); ++r) {
      const std::uint32_t level = p.levels[r];
      const std::int64_t place = p.rows.n_rows() - 1 - (sizes[level] + next[level]++);
      p.row_places.images[r] = place;
      const auto [pe, local] = p.columns.rows.place_of(p.matches[r]);
      keep.send(pe, placed{static_cast<std::uint32_t>(local), static_cast<std::uint32_t>(place)});
    }
  });
}

}  // namespace shoal::kernels::toposort
