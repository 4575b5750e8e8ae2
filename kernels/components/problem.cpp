#include "kernels/components/problem.hpp"

#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::components {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (!parse_graph_option(given.graph, name, value)) throw setup_error("components has no option --" + name);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  // Per vertex: its offset, its parent, and two lists of those that look for their roots.
  problem p{.edges = read_graph(w, given.graph, {"components", 8 + 4 + 8, 8})};
  p.parents.resize(static_cast<std::size_t>(p.edges.n_local_rows()));
  return p;
}

std::int64_t n_components(world& w, const problem& p) {
  std::int64_t n = 0;
  for (std::size_t v = 0; v < p.parents.size(); ++v) {
    n += p.parents[v] == static_cast<std::uint32_t>(p.edges.global_row(static_cast<std::int64_t>(v)));
  }
  return w.sum(n);
}

std::vector<std::uint32_t> lowest_by_telling(world& w, const problem& p) {
  const sparse_matrix both = symmetrise(w, p.edges);
  std::vector<std::uint32_t> lowest;
  std::vector<char> is_news(p.parents.size(), 1);
  for (std::int64_t v = 0; v < both.n_local_rows(); ++v)
    lowest.push_back(static_cast<std::uint32_t>(both.global_row(v)));
  for (bool is_any_news = true; is_any_news;) {
    const std::vector<char> tell = is_news;
    is_news.assign(is_news.size(), 0);
    actor hear{w, [&](const pair_to_join& told) {
                 if (told.lower >= lowest[told.higher]) return;
                 lowest[told.higher] = told.lower;
                 is_news[told.higher] = 1;
               }};
    w.finish([&] {
      for (std::size_t v = 0; v < tell.size(); ++v) {
        if (!tell[v]) continue;
        for (const std::int64_t u : both.row(static_cast<std::int64_t>(v))) {
          const auto [pe, local] = both.rows.place_of(u);
          hear.send(pe, pair_to_join{static_cast<std::uint32_t>(local), lowest[v]});
        }
      }
    });
    is_any_news = w.max(std::ranges::count(is_news, 1)) != 0;
  }
  return lowest;
}

}  // namespace shoal::kernels::components
